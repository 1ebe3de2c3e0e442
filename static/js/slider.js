// Slider, number field, buttons and keys set one draft; forms are sent once.
import { cancel, open, parts, preview, set, truth } from './draft.js'

function input(e) {
  e.target.closest('[data-switch]')?.classList.add('is-draft')
  const pool = e.target.closest('.pool')
  if (pool && (e.target.type === 'range' || e.target.name === 'replicas')) set(pool, e.target.value)
}

function step(button) {
  const pool = button.closest('.pool')
  const { number } = parts(pool)
  const next = Math.max(Number(number.min) || 0, (parseInt(number.value, 10) || 0) + Number(button.dataset.step))
  set(pool, String(next))
}

function click(e) {
  const button = e.target.closest('[data-step]')
  if (button) step(button)
  const choice = e.target.closest('[data-set]')
  if (choice) set(choice.closest('.pool'), choice.dataset.set)
  const pool = open()
  if (pool && e.target.closest('[data-cancel]')) {
    e.preventDefault()
    leave(pool)
  }
}

function leave(pool) {
  const inside = document.getElementById('pending').contains(document.activeElement)
  cancel(pool)
  if (inside) parts(pool).number.focus()
}

function key(e) {
  const pool = open()
  if (e.key === 'Escape' && pool) return leave(pool)
  if (e.key === 'Enter' && e.ctrlKey && pool) {
    e.preventDefault()
    document.querySelector('[data-apply]:not(:disabled)')?.click()
    return
  }
  if (e.key === 'Enter' && e.target.name === 'confirm') {
    e.preventDefault()
    document.querySelector('[data-apply]:not(:disabled)')?.click()
    return
  }
  if (e.target.name !== 'replicas' || e.target.type !== 'number') return
  const own = e.target.closest('.pool')
  if (e.key === 'Enter') {
    e.preventDefault()
    if (own.classList.contains('is-draft')) preview(own)
  }
  if (e.key === 'PageUp' || e.key === 'PageDown') {
    e.preventDefault()
    const tenth = Math.max(1, Math.round((parts(own).track?.dataset.max || 20) / 10))
    set(own, String(Math.max(0, (parseInt(e.target.value, 10) || 0) + (e.key === 'PageUp' ? tenth : -tenth))))
  }
}

function submit(e) {
  const take = e.submitter?.closest('[data-take]')
  const pool = open()
  if (take && pool) {
    e.preventDefault()
    parts(pool).form.elements.seen.value = e.target.elements.seen.value
    truth(pool)
    return preview(pool)
  }
  if (!e.target.matches('[data-once]')) return
  if (e.target.dataset.sent) return e.preventDefault()
  e.target.dataset.sent = '1'
  if (e.submitter?.value === 'apply') e.target.closest('.pool')?.classList.add('is-busy')
}

// adopt takes up what was typed before the scripts were there. A slider's value
// is kept within its ends, so its default is too before they are compared.
function adopt(pool) {
  const { form, number, range } = parts(pool)
  if (!form || !number || pool.classList.contains('is-draft')) return
  const drawn = range && String(Math.min(range.max, range.defaultValue))
  if (number.value !== number.defaultValue) set(pool, number.value)
  else if (range && range.value !== drawn) set(pool, range.value)
}

export function start() {
  document.addEventListener('input', input)
  document.addEventListener('click', click)
  document.addEventListener('keydown', key)
  document.addEventListener('submit', submit)
  document.addEventListener('capstan:truth', (e) => truth(e.target))
  for (const pool of document.querySelectorAll('.pool')) adopt(pool)
  addEventListener('pageshow', (e) => {
    if (e.persisted) for (const form of document.querySelectorAll('[data-sent]')) delete form.dataset.sent
  })
}
