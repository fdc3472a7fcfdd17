import { checkOptions, type OptionKind } from '../platform/validation/check-options.js'
import { checkHook } from './check-hook.js'
import type { HookDefinition } from './hook.js'

export interface HttpHookOptions extends Omit<HookDefinition, 'run' | 'transport' | 'asks'> {
  url: string
  /** `${NAME}` is replaced by a variable of this process, looked up for each call and never recorded. */
  headers?: Readonly<Record<string, string>>
}

const HTTP_OPTIONS = {
  url: 'text',
  headers: 'object',
} as const satisfies Partial<Record<keyof HttpHookOptions, OptionKind>>

/** A hook that is an endpoint: it gets the call as a JSON POST and answers with JSON. */
export function httpHook({ url, headers = {}, ...hook }: HttpHookOptions): HookDefinition {
  checkOptions(`The HTTP hook "${hook.id}"`, { url, headers }, HTTP_OPTIONS)
  const address = readAddress(url, hook.id)
  if (Object.values(headers).some((value) => typeof value !== 'string'))
    throw new TypeError(`The HTTP hook "${hook.id}" has a header whose value is no text; quote it.`)
  const definition: HookDefinition = {
    ...hook,
    transport: 'http',
    asks: { url, headers: Object.keys(headers) },
    run: async (call) => {
      // Loaded on first use: most cribs have no such hook.
      const { askEndpoint } = await import('./ask-endpoint.js')
      return askEndpoint({ url: address, headers }, call)
    },
  }
  checkHook(definition)
  return definition
}

function readAddress(url: string, id: string): URL {
  const address = URL.canParse(url) ? new URL(url) : undefined
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:')
    throw new TypeError(`The HTTP hook "${id}" needs a "url" such as https://hooks.example/toolcrib.`)
  if (address.username !== '' || address.password !== '')
    throw new TypeError(
      `The HTTP hook "${id}" has a password in its "url"; put it into "headers" as \${NAME} of a variable.`,
    )
  return address
}
