const EVALUATED = new Set('PS0 PS1 PS2 PS4 BASH_ENV ENV PROMPT_COMMAND'.split(' '))

/** Whether the shell itself runs or evaluates what the variable holds, without a command that would be seen. */
export function isEvaluatedVariable(name: string): boolean {
  return EVALUATED.has(name) || name.startsWith('BASH_FUNC_')
}
