// The words of the page's language, from the catalogue: Go sends them on <html>.
export const root = document.documentElement
const words = JSON.parse(root.dataset.words || '{}')

export const fill = (text, values) => (text || '').replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')

export const say = (key, values = {}) => fill(words[key], values)

// announce reads a sentence out, politely, at most one in five seconds; the
// newest wins.
const quiet = 5000
let last = -quiet
let timer
let next

export function announce(text) {
  if (!text) return
  next = text
  clearTimeout(timer)
  timer = setTimeout(() => {
    last = performance.now()
    document.getElementById('announcer').textContent = next
  }, Math.max(0, last + quiet - performance.now()))
}

export function alarm(text) {
  document.getElementById('alarm').textContent = text
}
