import { agentCases } from './agent-cases.js'
import { credentialCases } from './credential-cases.js'
import { fileCases } from './file-cases.js'
import type { BrokenCase } from './make-cases.js'
import { schemaCases } from './schema-cases.js'
import { toolCases } from './tool-cases.js'
import { transportCases } from './transport-cases.js'

/** Files with one mistake each, and where it is. */
export const brokenFiles: readonly BrokenCase[] = [
  ...fileCases,
  ...toolCases,
  ...schemaCases,
  ...transportCases,
  ...credentialCases,
  ...agentCases,
]
