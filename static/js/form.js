// The form of a new cluster: its buttons and its checks without a new page. What
// they mean is the server's business; here its answer is only put in place.
import { announce } from './words.js'
import { refresh } from './times.js'

const pause = 500 // after the last key, before a check
const plain = ['create', 'yaml', 'class'] // what the browser sends by itself

let timer
let asking
let typed = false // since the form was last sent as a whole
let saving = false // a download begins, which leaves nothing

const form = () => document.getElementById('create')

// What was typed since the last question was sent: its answer doesn't know it.
const late = new Set()

const callbacks = {
  beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS' && node.open) &&
    !(late.has(node) && (name === 'value' || name === 'checked')),
}

async function ask(doing) {
  clearTimeout(timer)
  asking?.abort()
  const mine = new AbortController()
  asking = mine
  const now = form()
  const body = new URLSearchParams(new FormData(now))
  late.clear()
  body.set('do', doing)
  now.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(now.action, { method: 'POST', body, signal: mine.signal, headers: { 'X-Capstan-Fragment': 'create' } })
    const box = document.createElement('template')
    box.innerHTML = await answer.text()
    const next = box.content.getElementById('create')
    if (mine !== asking) return
    // No form in the answer: the session has ended or the class has gone. A real
    // submit says so and keeps what was typed.
    if (!next) return submit(doing)
    place(next, doing !== 'check')
  } catch (err) {
    if (err.name !== 'AbortError') now.removeAttribute('aria-busy')
  }
}

function place(next, asked) {
  const now = form()
  const typing = document.activeElement
  Idiomorph.morph(now, next, { morphStyle: 'outerHTML', ignoreActiveValue: !asked, callbacks })
  const fresh = form()
  fresh.removeAttribute('aria-busy')
  refresh(fresh)
  find()
  if (!asked) return
  const focus = fresh.querySelector('[data-focus]')
  if (focus) focus.focus()
  else if (!typing?.isConnected) fresh.querySelector('[data-create-now]').focus()
  announce(fresh.querySelector('#problems h2')?.innerText || fresh.querySelector('aside [role=status]')?.innerText)
}

// slide moves the number; what is sent is the number alone.
function slide(range) {
  form().elements[range.dataset.slide].value = range.value
  range.setAttribute('aria-valuetext', range.dataset.aria.replace('{n}', range.value))
}

// submit leads to the answer as a page, past the handlers that put it in place.
function submit(doing) {
  const what = Object.assign(document.createElement('input'), { type: 'hidden', name: 'do', value: doing })
  form().append(what)
  typed = false
  form().submit()
}

// prefer carries what was typed into the page in another language or look.
async function prefer(e) {
  if (!e.target.matches('[data-prefer]') || !typed) return
  e.preventDefault()
  const body = new URLSearchParams(new FormData(e.target, e.submitter))
  await fetch(e.target.action, { method: 'POST', body, redirect: 'manual' })
  submit('check')
}

// find hides the fields that don't hold the words; it changes nothing.
function find() {
  const box = document.querySelector('[data-find-field]')
  if (!box) return
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const group of document.querySelectorAll('[data-group]')) {
    let some = false
    for (const el of group.querySelectorAll('.fields > [data-find], .fields > details > [data-find]')) {
      el.hidden = !words.every((word) => el.dataset.find.includes(word))
      some ||= !el.hidden
      if (words.length && !el.hidden && el.parentElement.tagName === 'DETAILS') el.parentElement.open = true
    }
    group.hidden = words.length > 0 && !some
  }
}

// lines makes room for a pasted text of several lines, such as a certificate,
// which an input of one line would join.
function lines(e) {
  const input = e.target
  const text = e.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
  if (!input.matches('[data-lines]') || !text.trim().includes('\n')) return
  e.preventDefault()
  const area = document.createElement('textarea')
  for (const { name, value } of input.attributes) if (name !== 'type' && name !== 'value') area.setAttribute(name, value)
  area.classList.remove('h-ctl')
  area.classList.add('py-1.5', 'font-mono')
  area.rows = 4
  area.value = input.value.slice(0, input.selectionStart) + text + input.value.slice(input.selectionEnd)
  input.replaceWith(area)
  area.focus()
  area.dispatchEvent(new Event('input', { bubbles: true }))
}

async function copy(button) {
  const text = document.getElementById(button.dataset.copy).value
  await navigator.clipboard.writeText(text)
  announce(button.dataset.done)
  button.textContent = button.dataset.done
}

export function start() {
  if (!form()) return
  typed = form().hasAttribute('data-typed')
  let sent = false
  document.addEventListener('submit', prefer)
  document.addEventListener('submit', (e) => {
    if (e.target.id !== 'create') return
    const doing = e.submitter?.value || 'preview'
    if (plain.includes(doing)) {
      saving = doing === 'yaml'
      typed &&= saving
      if (doing !== 'create') return
      if (sent) e.preventDefault()
      sent = true
      return
    }
    e.preventDefault()
    ask(doing)
  })
  addEventListener('pageshow', () => { sent = false })
  // The form lives in the page alone: leaving it loses what was typed.
  addEventListener('beforeunload', (e) => {
    if (typed && !saving) e.preventDefault()
    saving = false
  })
  document.addEventListener('input', (e) => {
    if (e.target.matches('[data-find-field]')) return find()
    if (!e.target.closest('#create') || e.target.name === 'class') return
    typed = true
    late.add(e.target)
    if (e.target.dataset.slide) slide(e.target)
    const range = document.querySelector(`[data-slide="${e.target.name}"]`)
    if (range) range.value = e.target.value
    // A number beyond the slider's end needs another slider.
    const now = e.target.matches('[type=radio], select') || Number(e.target.value) > Number(range?.max)
    clearTimeout(timer)
    timer = setTimeout(() => ask('check'), now ? 0 : pause)
  })
  document.addEventListener('keydown', (e) => {
    if (e.target.matches('[data-find-field]') && e.key === 'Enter') e.preventDefault()
  })
  document.addEventListener('paste', lines)
  document.addEventListener('click', (e) => {
    const button = e.target.closest('[data-copy]')
    if (button) copy(button)
  })
}
