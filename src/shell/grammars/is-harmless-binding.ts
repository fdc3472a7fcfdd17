// Actions of fzf that move, select or show. The others run commands, or change what the next key does.
const actions = new Set(
  `abort accept accept-non-empty accept-or-print-query backward-char backward-delete-char backward-delete-char/eof
    backward-kill-word backward-kill-subword backward-word backward-subword beginning-of-line best cancel
    clear-multi clear-screen clear-selection close clear-query delete-char delete-char/eof deselect deselect-all
    disable-search down down-match down-selected enable-search end-of-line exclude exclude-multi first forward-char
    forward-word forward-subword half-page-down half-page-up hide-header hide-input hide-preview ignore jump
    jump-accept kill-line kill-word kill-subword last next-selected offset-down offset-middle offset-up page-down
    page-up prev-selected preview-bottom preview-down preview-half-page-down preview-half-page-up preview-page-down
    preview-page-up preview-top preview-up print-query refresh-preview replace-query select select-all show-header
    show-input show-preview toggle toggle-all toggle-header toggle-hscroll toggle-in toggle-input toggle-multi-line
    toggle-out toggle-preview toggle-preview-wrap toggle-raw toggle-search toggle-sort toggle-track
    toggle-track-current toggle-wrap top track-current unix-line-discard unix-word-rubout untrack-current up
    up-match up-selected yank`.split(/\s+/),
)

/** Whether key bindings such as `ctrl-a:select-all,tab:toggle+down` have only such actions. */
export function isHarmlessBinding(bindings: string): boolean {
  return bindings.split(',').every((binding) => {
    const colon = binding.indexOf(':')
    // A key is a name or one sign, as `ctrl-/`; fzf could read anything else as an action.
    if (!/^(?:[\w-]*[\w/\\^\]]|\S)$/.test(binding.slice(0, colon))) return false
    return binding
      .slice(colon + 1)
      .split('+')
      .every((action) => actions.has(action))
  })
}
