// A draft is a number that is typed and not applied. At most one is open.
import { announce, fill, root, say } from './words.js'
import { refresh } from './times.js'

const pause = 300 // after the last movement, before the dry run

export const parts = (pool) => ({
  form: pool.querySelector('[data-scale-form]'),
  number: pool.querySelector('input[name=replicas][type=number]'),
  range: pool.querySelector('input[type=range]'),
  track: pool.querySelector('.sl-track'),
})

export const open = () => document.querySelector('.pool.is-draft')

let timer
let asking

export function set(pool, value) {
  const other = open()
  if (other && other !== pool) {
    announce(say('dropped', { pool: other.dataset.pool }))
    cancel(other)
  }
  const { form, number, range } = parts(pool)
  if (number.value !== value) number.value = value
  if (range) range.value = value
  if (value === form.elements.seen.value) return cancel(pool)
  pool.classList.add('is-draft')
  const words = pool.querySelector('[data-draft-text]')
  words.textContent = fill(words.dataset.draftText, { n: value || '…' })
  mark(pool, value)
  clearTimeout(timer)
  asking?.abort()
  // What is to be applied is what was previewed, never a later number.
  for (const button of document.querySelectorAll('#pending [data-apply]')) button.disabled = true
  if (value !== '') timer = setTimeout(() => preview(pool), pause)
}

// cancel puts everything back to what stands in the spec now.
export function cancel(pool) {
  clearTimeout(timer)
  asking?.abort()
  const { form, number, range } = parts(pool)
  const wish = pool.dataset.wish
  form.elements.seen.value = wish
  number.value = wish
  if (range) range.value = wish
  number.removeAttribute('aria-invalid')
  pool.classList.remove('is-draft', 'is-busy', 'has-other')
  pool.querySelector('[data-other]').hidden = true
  mark(pool, wish)
  const pending = document.getElementById('pending')
  settle(pending.querySelector('[data-cancel]'))
  pending.replaceChildren()
  pending.hidden = true
}

// settle gives the page its own address back, if it stands under a draft's.
function settle(link) {
  if (!link || !root.dataset.page || root.dataset.page.split('?')[0] !== link.pathname) return
  root.dataset.page = link.pathname
  history.replaceState(null, '', link.pathname)
}

// mark moves the blue number and makes room for it.
function mark(pool, value) {
  const { range, track } = parts(pool)
  for (const choice of pool.querySelectorAll('[data-set]')) choice.ariaPressed = String(choice.dataset.set === value)
  if (range) range.setAttribute('aria-valuetext', fill(range.dataset.aria, { n: value }))
  const at = track?.querySelector('[data-wish-mark]')
  if (!at) return
  const x = Math.max(0, Math.min(100, (100 * value) / track.dataset.max))
  at.setAttribute('x', x + '%')
  at.textContent = value > Number(track.dataset.max) ? `${track.dataset.max} … ${value}` : value
  const numbers = [...track.querySelectorAll('[data-scale] text')]
  const places = numbers.map((el) => parseFloat(el.getAttribute('x')))
  const room = 0.45 * (places.length > 1 ? places[1] - places[0] : 100)
  numbers.forEach((el, i) => el.classList.toggle('is-near', Math.abs(places[i] - x) < room))
}

// preview asks what the change would do; the last request wins.
export async function preview(pool) {
  clearTimeout(timer)
  asking?.abort()
  const mine = new AbortController()
  asking = mine
  const { form } = parts(pool)
  const body = new URLSearchParams(new FormData(form))
  body.set('do', 'preview')
  const panel = document.getElementById('pending')
  panel.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: mine.signal, headers: { 'X-Capstan-Fragment': 'pending' } })
    const box = document.createElement('template')
    box.innerHTML = await answer.text()
    const fresh = box.content.getElementById('pending')
    if (mine !== asking || !pool.classList.contains('is-draft')) return
    // No panel in the answer: the session has ended. A real submit says so and
    // keeps what was typed.
    if (!fresh) return form.requestSubmit(form.querySelector('[data-preview]'))
    refresh(fresh)
    document.getElementById('pending').replaceWith(fresh)
    announce(fresh.querySelector('#pending-why')?.innerText || fresh.querySelector('p')?.innerText)
  } catch (err) {
    if (err.name !== 'AbortError') document.getElementById('pending').removeAttribute('aria-busy')
  }
}

// truth looks whether somebody else changed the wish under an open draft.
export function truth(pool) {
  const { form } = parts(pool)
  const other = pool.dataset.wish !== form.elements.seen.value
  pool.classList.toggle('has-other', other)
  const flag = pool.querySelector('[data-other]')
  const changed = other && flag.dataset.n !== pool.dataset.wish
  flag.hidden = !other
  flag.dataset.n = other ? pool.dataset.wish : ''
  if (!changed) return
  const text = fill(pool.dataset.otherText, { n: pool.dataset.wish })
  flag.querySelector('[data-text]').textContent = text
  announce(text)
  if (!pool.classList.contains('is-busy')) preview(pool)
}
