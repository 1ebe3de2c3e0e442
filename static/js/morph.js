// How a region of the page is replaced without disturbing the person at it.
const callbacks = {
  beforeNodeMorphed(old, next) {
    if (old.nodeType !== 1) return true
    if (old.hasAttribute('data-keep') && old.closest('.is-draft')) return false
    return !(old.tagName === 'TIME' && old.dateTime === next.dateTime && old.dataset.form === next.dataset?.form)
  },
  beforeAttributeUpdated(name, node) {
    return !(name === 'open' && node.tagName === 'DETAILS')
  },
}

export function morph(now, next) {
  if (now.matches('.pool')) keepScale(now, next)
  Idiomorph.morph(now, next, { morphStyle: 'outerHTML', callbacks })
}

// keepScale lets the truth move under a draft without moving the scale; without
// a draft the end of the scale may grow, but never shrinks while the page is open.
function keepScale(now, next) {
  const draft = now.classList.contains('is-draft')
  for (const name of ['is-draft', 'is-busy']) if (now.classList.contains(name)) next.classList.add(name)
  const a = now.querySelector('.sl-track')
  const b = next.querySelector('.sl-track')
  if (!a || !b) return
  const old = +a.dataset.max
  const fresh = +b.dataset.max
  if (!draft && fresh >= old) return
  rescale(b, fresh / old)
  copy(a, b, '[data-scale]')
  if (draft) copy(a, b, '[data-wish-mark]')
  b.dataset.max = old
  const range = next.querySelector('input[type=range]')
  if (range) range.max = old
}

function rescale(track, factor) {
  for (const el of track.querySelectorAll('[data-truth] *, [data-wish-mark]')) {
    for (const name of ['x', 'width']) {
      const value = el.getAttribute(name)
      if (value?.endsWith('%')) el.setAttribute(name, Math.min(100, parseFloat(value) * factor) + '%')
    }
  }
}

function copy(from, to, selector) {
  const old = from.querySelectorAll(selector)
  to.querySelectorAll(selector).forEach((el, i) => { if (old[i]) el.replaceWith(old[i].cloneNode(true)) })
}
