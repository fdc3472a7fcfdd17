import type { GivenOptions, OptionRow } from '../program/command.js'

/** Understood by every command that judges. */
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

/** Whether options let more run than the rules do. */
export function loosensRules({ yes, allow, mode, rules }: GivenOptions): boolean {
  return [yes, allow, mode, rules].some((given) => given !== undefined)
}
