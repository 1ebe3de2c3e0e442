// Runs before the first paint: what needs scripts is shown only with them.
document.documentElement.classList.add('js')
