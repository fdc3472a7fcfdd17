const EVALUATED = new Set('PS0 PS1 PS2 PS4 BASH_ENV ENV PROMPT_COMMAND'.split(' '))

/** Whether the shell itself runs or evaluates the value of the variable, without a visible command. */
export function isEvaluatedVariable(name: string): boolean {
  return EVALUATED.has(name) || name.startsWith('BASH_FUNC_')
}
