import type { DraftAvailability, SetupProblem } from './tool-draft.js'

/**
 * Why a tool cannot be used; undefined where it is set up. Plain JavaScript may return other types: `false` and `null`
 * count as undefined, and any other value blocks the tool with a reason.
 */
export function setupProblemOf({ setupProblem }: DraftAvailability): SetupProblem | undefined {
  if (!setupProblem) return undefined
  let answer: unknown
  try {
    answer = setupProblem()
  } catch {
    return { message: 'The tool could not say whether it is set up.' }
  }
  if (answer === undefined || answer === null || answer === false) return undefined
  if (typeof answer === 'string') return { message: answer === '' ? 'The tool is not set up yet.' : answer }
  if (answer === true) return { message: 'The tool is not set up yet.' }
  return isProblem(answer) ? answer : { message: unreadable(answer) }
}

/** Whether a person has to accept the tool first: its source changed it, or it is new and goes elsewhere. */
export function waitsForAcceptance(availability: DraftAvailability): boolean {
  return setupProblemOf(availability)?.code === 'toolcrib.tool_changed'
}

function isProblem(answer: unknown): answer is SetupProblem {
  return typeof answer === 'object' && answer !== null && typeof Reflect.get(answer, 'message') === 'string'
}

function unreadable(answer: unknown): string {
  const kind = answer instanceof Promise ? 'a promise' : `a value of type ${typeof answer}`
  return `Whether the tool is set up cannot be read: "requiresSetup" returned ${kind}; return a text that says what is missing, or nothing.`
}
