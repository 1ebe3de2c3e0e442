// The tokens of Capstan's look: one place for every colour, size and space.
// Colours stand as light-dark(light, dark), so that one declaration serves both
// themes; the class "light" or "dark" on <html> forces one.
import plugin from 'tailwindcss/plugin'

const colours = {
  // surfaces and lines
  bg: ['#f4f6f6', '#0e1214'],
  surface: ['#ffffff', '#151a1d'],
  'surface-2': ['#eef1f1', '#1c2226'],
  'surface-3': ['#e2e7e8', '#293136'],
  line: ['#dbe0e2', '#283035'],
  'line-strong': ['#7f8b91', '#6b777e'],
  // text
  ink: ['#12191c', '#e7ecee'],
  'ink-2': ['#465259', '#b0bbc0'],
  'ink-3': ['#5a666d', '#95a1a7'],
  // the wish, links, focus, the one primary button of a view
  accent: ['#1c55c0', '#82abff'],
  'accent-deep': ['#143f92', '#a8c5ff'],
  'accent-weak': ['#e9f0fc', '#1a2740'],
  'on-accent': ['#ffffff', '#0b1530'],
  // the truth: machines
  ready: ['#2b8a61', '#3da075'],
  'ready-quiet': ['#a3b8ae', '#4d6258'],
  starting: ['#c2e4d2', '#1a4232'],
  deleting: ['#67737a', '#95a1a7'],
  // words that mean something, each with its ground
  ok: ['#176a46', '#5ccb98'],
  'ok-weak': ['#e4f3eb', '#14291f'],
  warn: ['#835000', '#e8b458'],
  'warn-weak': ['#fbf1dc', '#2c2413'],
  bad: ['#b01e17', '#ff9088'],
  'bad-weak': ['#fcebe9', '#341a19'],
  'on-bad': ['#ffffff', '#2a0806'],
}

const variables = Object.fromEntries(Object.entries(colours).map(([name, [light, dark]]) => [`--${name}`, `light-dark(${light}, ${dark})`]))

export default {
  content: ['./views/**/*.templ', './views/**/*.go'],
  theme: {
    colors: {
      transparent: 'transparent',
      current: 'currentColor',
      ...Object.fromEntries(Object.keys(colours).map((name) => [name, `var(--${name})`])),
    },
    fontSize: {
      xs: ['.75rem', '1rem'],
      sm: ['.8125rem', '1.25rem'],
      md: ['.875rem', '1.25rem'],
      lg: ['1rem', '1.5rem'],
      xl: ['1.25rem', '1.75rem'],
    },
    fontFamily: {
      sans: ['system-ui', '-apple-system', '"Segoe UI"', 'Roboto', '"Noto Sans"', '"PingFang SC"', '"Microsoft YaHei"', '"Noto Sans SC"', 'sans-serif'],
      mono: ['ui-monospace', '"SF Mono"', '"Cascadia Mono"', 'Menlo', 'Consolas', '"Liberation Mono"', 'monospace'],
    },
    screens: { sm: '641px', lg: '1121px' },
    extend: {
      spacing: { ctl: 'var(--ctl)', row: 'var(--row)' },
      borderRadius: { cell: '2px', DEFAULT: '4px', panel: '6px' },
      transitionDuration: { 120: '120ms' },
    },
  },
  plugins: [
    plugin(({ addBase }) => addBase({ ':root': variables })),
  ],
}
