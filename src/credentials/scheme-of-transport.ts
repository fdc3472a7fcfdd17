/** The transports and credential schemes of AML. */
export const amlTransports = ['rest-api', 'lambda', 'mcp', 'message-queue', 'database'] as const
export type AmlTransport = (typeof amlTransports)[number]

export const amlSchemes = [
  'none',
  'iam-role',
  'api-key',
  'bearer-token',
  'oauth2',
  'service-account',
] as const
export type AmlScheme = (typeof amlSchemes)[number]

/** Which scheme goes with which transport. */
const TRANSPORTS: Readonly<Record<AmlScheme, readonly AmlTransport[]>> = {
  none: ['rest-api', 'mcp'],
  'iam-role': ['lambda', 'message-queue', 'database'],
  'api-key': ['rest-api', 'mcp'],
  'bearer-token': ['rest-api', 'mcp'],
  oauth2: ['rest-api', 'mcp'],
  'service-account': ['lambda', 'message-queue', 'database'],
}

export interface SchemeProblem {
  readonly level: 'error' | 'warning'
  readonly message: string
}

/** What is wrong with a scheme on a transport; undefined where they go together. */
export function schemeProblem(scheme: AmlScheme, transport: AmlTransport): SchemeProblem | undefined {
  if (TRANSPORTS[scheme].includes(transport)) return undefined
  // AML's reference excludes this pair, and its own examples use it.
  if (scheme === 'service-account' && transport === 'rest-api')
    return {
      level: 'warning',
      message:
        'The scheme service-account on rest-api sends the secret as a bearer token; bearer-token says the same.',
    }
  const others = Object.keys(TRANSPORTS).filter((each) => TRANSPORTS[each as AmlScheme].includes(transport))
  return {
    level: 'error',
    message: `The scheme ${scheme} does not go with the transport ${transport}; use one of ${others.join(', ')}.`,
  }
}
