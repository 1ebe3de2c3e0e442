// Pages carry absolute times; here they become "2 min" or "10:42:07".
import { say } from './words.js'

const pad = (n) => String(n).padStart(2, '0')
const day = (d) => `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())}`

export function clock(date, now = new Date()) {
  if (day(date) === day(now)) return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (date > now) return `${day(date)} ${pad(date.getHours())}:${pad(date.getMinutes())}`
  return day(date) === day(yesterday) ? say('yesterday') : day(date)
}

export function age(date, now = new Date()) {
  const s = Math.max(0, Math.floor((now - date) / 1000))
  if (s < 60) return say('s', { n: s })
  if (s < 3600) return say('min', { n: Math.floor(s / 60) })
  if (s < 86400) return say('h', { n: Math.floor(s / 3600) })
  const d = Math.floor(s / 86400)
  if (d < 365) return say('d', { n: d })
  const rest = d % 365
  return say('y', { n: Math.floor(d / 365) }) + (rest ? ' ' + say('d', { n: rest }) : '')
}

const full = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'long' })

export function refresh(scope = document) {
  const now = new Date()
  for (const el of scope.querySelectorAll('time[datetime]')) {
    const date = new Date(el.dateTime)
    if (isNaN(date)) continue
    const text = (el.dataset.form === 'age' ? age : clock)(date, now)
    if (el.textContent !== text) el.textContent = text
    if (!el.title) el.title = full.format(date)
  }
}

export function start() {
  refresh()
  setInterval(() => { if (!document.hidden) refresh() }, 1000)
}
