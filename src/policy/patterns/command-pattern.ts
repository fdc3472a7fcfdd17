import { toTextTest } from './glob-text.js'

/** A shell command pattern: one exact text, every command with this start, or a text with `*` in it. */
export type CommandPattern =
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'prefix'; readonly text: string }
  | { readonly kind: 'glob'; readonly lead: string; readonly test: (text: string) => boolean }

/** `git status`, `npm run test:*` (that and anything after it), `git * main`. */
export function parseCommandPattern(given: string): CommandPattern | undefined {
  const pattern = squeeze(given)
  if (pattern === '') return undefined
  // `:*` and a last ` *` mean the same: the words before, alone or followed by anything.
  const prefix = pattern.endsWith(':*')
    ? pattern.slice(0, -2)
    : pattern.endsWith(' *')
      ? pattern.slice(0, -2)
      : undefined
  if (prefix !== undefined && prefix !== '' && !prefix.includes('*')) return { kind: 'prefix', text: prefix }
  if (!pattern.includes('*')) return { kind: 'exact', text: pattern }
  const bare = prefix !== undefined && prefix !== '' ? toTextTest(prefix) : undefined
  const whole = toTextTest(prefix !== undefined && prefix !== '' ? `${prefix} *` : pattern)
  const lead = pattern.slice(0, pattern.indexOf('*')).trimEnd()
  return { kind: 'glob', lead, test: bare ? (text) => bare(text) || whole(text) : whole }
}

// Quoted text is not changed, and neither is a new line, which ends a command.
const QUOTED_OR_BLANKS = /"(?:[^"\\]|\\[\s\S])*"|'[^']*'|\\[\s\S]|[ \t]+/g

/** Blanks that the shell ignores are written as one. */
export function squeeze(text: string): string {
  return text
    .replaceAll(QUOTED_OR_BLANKS, (found) => (/^[ \t]/.test(found) ? ' ' : found))
    .replace(/^[ \n]+/, '')
    .replace(/(?<!\\)[ \n]+$/, '')
}
