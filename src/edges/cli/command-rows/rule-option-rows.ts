import type { GivenOptions, OptionRow } from '../program/command.js'

/** Options of every command that judges calls. */
export const ruleOptions: readonly OptionRow[] = [
  { flags: '--rules <file>', description: 'add the rules of this file to all others' },
  { flags: '--allow <rule...>', description: 'rules that let a call run' },
  { flags: '--ask <rule...>', description: 'rules that require approval for a call' },
  { flags: '--deny <rule...>', description: 'rules that deny a call' },
  {
    flags: '--mode <mode>',
    description: 'permission mode: default, acceptEdits, plan, dontAsk, auto, bypass',
  },
]

/** Whether these options let more run than the rules do. */
export function loosensRules({ yes, allow, mode, rules }: GivenOptions): boolean {
  return [yes, allow, mode, rules].some((given) => given !== undefined)
}
