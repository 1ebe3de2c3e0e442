// What a frame from the server does to the page.
import { announce, say } from './words.js'
import { refresh } from './times.js'
import { morph } from './morph.js'

const waiting = new Map() // rows that the table doesn't show yet
const dismissed = new Set() // notices that were put away
let order = []
let spoken = document.getElementById('say')?.textContent

export function apply(frame) {
  const all = parse(frame.html || '')
  const gone = frame.whole ? absent(all) : frame.gone || []
  for (const next of all) place(next)
  for (const id of gone) leave(id)
  if (frame.order?.length) order = frame.order
  for (const id of dismissed) document.getElementById(id)?.remove()
  offer()
  refresh()
  speak()
}

// parse takes rows that are regions apart from the rest: behind anything else, a
// parser drops their tags. Rows of a table inside a region stay in it.
function parse(html) {
  let rows = ''
  const rest = html.replace(/<tr\s[^>]*\bdata-region\b[^]*?<\/tr>/g, (row) => { rows += row; return '' })
  return [rest, rows].flatMap((part) => {
    const box = document.createElement('template')
    box.innerHTML = part
    return [...box.content.children]
  })
}

// absent are the regions that went while there was no line: the first frame of
// a socket holds all that there are.
function absent(all) {
  const ids = new Set(all.map((el) => el.id))
  waiting.clear()
  return [...document.querySelectorAll('[data-region]')].map((el) => el.id).filter((id) => !ids.has(id))
}

function place(next) {
  const now = document.getElementById(next.id)
  if (now) {
    morph(now, next)
    const fresh = document.getElementById(next.id)
    if (fresh?.matches('.pool.is-draft')) fresh.dispatchEvent(new CustomEvent('capstan:truth', { bubbles: true }))
  } else if (next.tagName === 'TR') {
    waiting.set(next.id, next)
  } else if (next.dataset.into) {
    document.getElementById(next.dataset.into)?.append(next)
  }
}

// leave dims what has gone; it keeps its place until the next load or "show".
function leave(id) {
  waiting.delete(id)
  const el = document.getElementById(id)
  if (!el) return
  el.classList.add('is-gone')
  el.title = el.parentNode.dataset.gone || say('gone')
}

function offer() {
  const note = document.querySelector('[data-new]')
  if (!note) return
  note.hidden = waiting.size === 0
  note.querySelector('[data-text]').textContent = say('more', { n: waiting.size })
}

function show() {
  const body = document.querySelector('tbody[data-order]')
  if (!body || body.closest('[hidden]')) return location.reload()
  const known = new Map([...body.children].map((row) => [row.id, row]))
  const ids = order.length ? order : [...waiting.keys(), ...known.keys()]
  body.replaceChildren(...ids.map((id) => waiting.get(id) || known.get(id)).filter(Boolean))
  waiting.clear()
  offer()
  refresh(body)
}

function speak() {
  const text = document.getElementById('say')?.textContent
  if (text && text !== spoken) announce(text)
  spoken = text
}

// dismiss puts a notice away; without scripts the form does so with a reload.
function dismiss(e) {
  if (!e.target.matches('[data-dismiss]')) return
  e.preventDefault()
  const note = e.target.parentNode
  dismissed.add(note.id)
  fetch(e.target.action, { method: 'POST', body: new URLSearchParams(new FormData(e.target)), redirect: 'manual' })
  note.remove()
}

export function start() {
  document.addEventListener('submit', dismiss)
  document.addEventListener('click', (e) => { if (e.target.closest('[data-show]')) show() })
}
