import { codeWords, errorWords, type ErrorWords, type Words } from './error-words.js'
import type { ToolError } from './objects/tool-error.js'
import { retryGuidance, type RetryGuidance } from './retry-guidance.js'

/** The texts about an error. `toolName` is the name that people know. */
export function describeError(error: ToolError, toolName: string): Words {
  const words = wordsOf(error)
  const { safe, advice } = guidanceOf(error)
  const { forModel: ofClass, forPerson } = (safe && words.ifSafe) || words
  const forModel = advice ?? ofClass
  return { forModel: forModel + waitOf(error), forPerson: forPerson.replace('{tool}', () => `"${toolName}"`) }
}

function wordsOf({ error_class: errorClass, error_code: code }: ToolError): ErrorWords {
  const finer = Object.hasOwn(codeWords, code ?? '') ? codeWords[code as keyof typeof codeWords] : undefined
  const { ifSafe, ...words } = errorWords[errorClass]
  return finer ? { ...words, ...finer } : { ...words, ...(ifSafe && { ifSafe }) }
}

/** The message of our own limits already says how long the wait is. */
function waitOf({ retry_after: seconds, message }: ToolError): string {
  if (seconds === null || seconds === undefined || message.includes(`${seconds} s`)) return ''
  return ` Wait ${seconds} s first.`
}

/** The guidance in an error; where there is none, that of its class. */
export function guidanceOf({ error_class: errorClass, toolcrib }: ToolError): RetryGuidance {
  return (toolcrib?.['retry'] as RetryGuidance | undefined) ?? retryGuidance(errorClass)
}
