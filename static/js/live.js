// The page is the stream: one socket on the page's own path brings the regions
// that changed. It comes back by itself, and says so while it is away.
import { alarm, announce, root, say } from './words.js'
import { clock } from './times.js'
import { apply } from './regions.js'
import { renew } from './session.js'

const silence = 35e3 // no frame for so long: the line is dead
const staleAfter = 15e3
const offAfter = 60e3
const pauseAfter = 60e3

let socket
let retry
let tries = 0
let heard = Date.now() // when the last frame came, on this clock
let data = new Date() // what the page shows, on the server's clock
let down = 0 // since when there is no line; 0 while there is
let pausing
let lost = false // whether this socket told that the management cluster is lost
let over = false // the session has ended under an open draft, which a reload would lose
let refused = 0 // sockets refused because nobody could tell whether the session holds

const url = () => new URL(root.dataset.page, location.href.replace(/^http/, 'ws')).href

export function connect() {
  clearTimeout(retry)
  drop()
  if (document.hidden && down) return
  const ws = new WebSocket(url())
  socket = ws
  heard = Date.now()
  lost = false
  ws.onmessage = (e) => { if (ws === socket) receive(JSON.parse(e.data)) }
  ws.onclose = (e) => { if (ws === socket) closed(e.code) }
}

function drop() {
  const old = socket
  socket = undefined
  old?.close()
}

async function closed(code) {
  socket = undefined
  down ||= Date.now()
  show()
  const session = code === 4401 ? await renew() : ''
  if (session === 'over' && !document.querySelector('.pool.is-draft')) return location.reload()
  if (session === 'over' && !over) alarm(say('kept'))
  over = session === 'over'
  refused = session === 'on' || !session ? 0 : refused + 1
  show()
  const wait = Math.min(15e3, 500 * 2 ** Math.max(tries++, refused))
  retry = setTimeout(connect, wait * (0.5 + Math.random() / 2))
}

function receive(frame) {
  if (frame.t === 'bye') return bye(frame.why)
  heard = Date.now()
  tries = 0
  if (frame.at) data = new Date(frame.at)
  if (down) {
    down = 0
    over = false
    announce(say('live'))
  }
  if (frame.t === 'regions') apply(frame)
  if (frame.t === 'lost' || frame.t === 'found') hub(frame)
  if (frame.whole && !lost) document.getElementById('lost').hidden = true
  show()
}

function hub(frame) {
  const banner = document.getElementById('lost')
  lost = frame.t === 'lost'
  banner.hidden = !lost
  const since = banner.querySelector('time')
  if (frame.since) {
    since.dateTime = frame.since
    since.textContent = clock(new Date(frame.since))
  }
}

function bye(why) {
  if (why === 'gone' || why === 'reload') location.reload()
}

// show puts the state of the line into words, and locks the sliders while what
// they show is old. A draft stays in the person's hands.
function show() {
  const conn = document.getElementById('conn')
  const away = down ? Date.now() - down : 0
  const off = away > offAfter || (down && !navigator.onLine)
  const state = !down ? 'live' : off ? 'off' : 'recon'
  const short = matchMedia('(max-width: 640px)').matches && state === 'recon'
  const text = say(short ? 'reconShort' : state, { t: clock(off ? new Date(down) : data) })
  const word = conn.querySelector('.conn-word')
  conn.dataset.state = state
  if (word.textContent !== text) word.textContent = text
  const stale = over || away > staleAfter
  const banner = document.getElementById('stale')
  banner.hidden = !stale
  if (stale) banner.querySelector('[data-text]').textContent = over ? say('kept') : say('stale', { t: clock(data) })
  for (const pool of document.querySelectorAll('.pool')) {
    const lock = stale && !pool.classList.contains('is-draft')
    for (const part of pool.querySelectorAll('.sl, form')) part.inert = lock
  }
}

function watch() {
  if (socket && Date.now() - heard > silence) {
    drop()
    closed(1006)
    heard = Date.now()
  }
  if (down) show()
}

function visibility() {
  clearTimeout(pausing)
  if (document.hidden) {
    pausing = setTimeout(() => { clearTimeout(retry); drop(); down ||= Date.now() }, pauseAfter)
  } else if (!socket) {
    tries = 0
    connect()
  }
}

export function start() {
  if (!root.dataset.page || !('WebSocket' in window)) return
  connect()
  setInterval(watch, 2000)
  document.addEventListener('visibilitychange', visibility)
  addEventListener('online', connect)
  // Signing out ends the session, and with it the socket: a reload for that
  // would overtake the way to the provider's sign-out.
  document.addEventListener('submit', (e) => { if (e.target.matches('[data-leave]')) drop() })
  addEventListener('pageshow', (e) => { if (e.persisted) connect() })
  document.addEventListener('click', (e) => { if (e.target.closest('[data-retry]')) { tries = 0; connect() } })
}
