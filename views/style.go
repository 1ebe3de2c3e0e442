package views

// The few looks that stand in more than one component, as utilities. Whoever
// changes one changes it everywhere.
const (
	btn = "inline-flex h-ctl items-center justify-center gap-1.5 rounded border border-line-strong bg-surface px-3 text-sm font-medium whitespace-nowrap text-ink cursor-pointer transition-colors duration-120 hover:bg-surface-2 hover:no-underline active:bg-surface-3 disabled:cursor-not-allowed disabled:border-line disabled:bg-surface-2 disabled:text-ink-3"

	btnPrimary = "inline-flex h-ctl items-center justify-center gap-1.5 rounded border border-accent bg-accent px-3 text-sm font-medium whitespace-nowrap text-on-accent cursor-pointer transition-colors duration-120 hover:border-accent-deep hover:bg-accent-deep hover:no-underline disabled:cursor-not-allowed disabled:border-line disabled:bg-surface-2 disabled:text-ink-3"

	btnDanger = "inline-flex h-ctl items-center justify-center gap-1.5 rounded border border-bad bg-bad px-3 text-sm font-medium whitespace-nowrap text-on-bad cursor-pointer transition-colors duration-120 hover:no-underline disabled:cursor-not-allowed disabled:border-line disabled:bg-surface-2 disabled:text-ink-3"

	field = "h-ctl " + box
	// area is an input of several lines, as high as its rows.
	area = "py-1.5 font-mono " + box
	box  = "min-w-0 rounded border border-line-strong bg-surface px-2.5 text-sm text-ink placeholder:text-ink-3 placeholder:opacity-100 hover:border-ink-2 focus-visible:outline-offset-1 max-sm:text-lg"

	panel = "rounded-panel border border-line bg-surface"

	panelHead = "flex items-center gap-2 border-b border-line px-4 py-2.5"

	// A table that becomes stacked rows on a phone.
	table = "w-full border-separate border-spacing-0 rounded-panel border border-line bg-surface max-sm:block"

	tableHead = "max-sm:sr-only"

	th = thBase + " px-3"

	thTight = thBase + " px-2"

	thBase = "h-8 border-b border-line bg-surface-2 text-left text-xs font-medium whitespace-nowrap text-ink-2 first:rounded-tl-[5px] first:pl-4 last:rounded-tr-[5px] last:pr-4"

	tr = "group/row max-sm:grid max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:border-b max-sm:border-line max-sm:px-4 max-sm:py-2.5 max-sm:last:border-b-0"

	td = tdBase + " px-3 py-1.5"

	tdTight = tdBase + " px-2 py-1"

	tdBase = "h-row border-b border-line align-middle group-last/row:border-b-0 group-hover/row:bg-surface-2 first:pl-4 last:pr-4 max-sm:block max-sm:h-auto max-sm:min-w-0 max-sm:border-0 max-sm:p-0 max-sm:first:pl-0 max-sm:last:pr-0 max-sm:empty:hidden max-sm:group-hover/row:bg-transparent"

	// What a link needs on a phone to be a target of 40 px without moving lines.
	tap = "max-sm:-my-2.5 max-sm:inline-flex max-sm:min-h-10 max-sm:items-center"
)
