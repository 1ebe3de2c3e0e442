import { root } from './words.js'
import * as times from './times.js'
import * as regions from './regions.js'
import * as session from './session.js'
import * as live from './live.js'
import * as slider from './slider.js'
import * as form from './form.js'

// A page that answers a POST stands under the form's address: a reload or a
// copied link shall lead to the page itself.
if (root.dataset.page && location.pathname + location.search !== root.dataset.page) {
  history.replaceState(null, '', root.dataset.page)
}
times.start()
regions.start()
slider.start()
form.start()
live.start()
session.start(live.connect)

// Another language or look is another page: an open draft is asked for again.
document.addEventListener('submit', (e) => {
  const draft = document.querySelector('.pool.is-draft') && document.getElementById('pending')
  if (e.target.matches('[data-prefer]') && draft?.children.length) e.target.elements.return.value = draft.dataset.at
})

document.addEventListener('change', (e) => {
  if (e.target.matches('[data-filter] select')) e.target.form.requestSubmit()
})
// An address holds only what was filled in.
document.addEventListener('formdata', (e) => {
  if (!e.target.matches('[data-filter]')) return
  for (const [name, value] of [...e.formData]) if (!value) e.formData.delete(name)
})
document.querySelector('[data-focus]')?.focus()
