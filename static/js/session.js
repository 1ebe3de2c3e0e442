// A socket can't set cookies: the session is renewed by a POST, one tab at a time.
import { alarm, root, say } from './words.js'

const early = 2 * 60e3
const key = 'capstan-session-until'
let until = Date.parse(root.dataset.sessionUntil || '')
const span = until - Date.now()

// renew gives 'on' when the session goes on, 'over' when it has ended, and
// 'later' when nobody could tell. Another tab may have done it already.
export function renew() {
  if (!root.dataset.renew) return Promise.resolve('over')
  const work = async () => {
    const other = Number(localStorage.getItem(key)) || 0
    if (other > until && other - Date.now() > early) return settle(other)
    const answer = await fetch(root.dataset.renew, { method: 'POST', redirect: 'error', headers: { 'X-Capstan-Fragment': 'renew' } })
    if (answer.status === 401) return 'over'
    if (!answer.ok) return 'later'
    const given = Date.parse(answer.headers.get('X-Capstan-Session-Until') || '')
    return settle(isNaN(given) ? Date.now() + Math.max(span, early * 2) : given)
  }
  const guarded = () => work().catch(() => 'later')
  return navigator.locks ? navigator.locks.request('capstan-renew', guarded) : guarded()
}

function settle(value) {
  until = value
  localStorage.setItem(key, String(value))
  return 'on'
}

// start renews in time and calls done, which opens a new socket.
export function start(done) {
  if (isNaN(until)) return
  let busy = false
  setInterval(async () => {
    if (busy || document.hidden || Date.now() < until - early) return
    busy = true
    const state = await renew()
    busy = false
    if (state === 'on') done()
    else if (Date.now() > until) alarm(say('ended'))
  }, 10e3)
}
