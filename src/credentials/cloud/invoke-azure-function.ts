import { azureIdentity } from './azure-identity.js'
import type { FunctionAnswer, FunctionCall } from './function-call.js'
import { functionAddress, postToFunction } from './post-to-function.js'

/** Calls a function of Azure by its address or as `<app>/<function>`, with a token for the app. */
export async function invokeAzureFunction(call: FunctionCall): Promise<FunctionAnswer> {
  const url = functionAddress(azureFunctionUrl(call.function_id), call.owner)
  const identity = await azureIdentity(call.owner, call.account)
  const scope = `${new URL(url).origin}/.default`
  const issued = await identity.getToken(scope, { abortSignal: call.signal })
  return postToFunction(url, call, `Bearer ${issued?.token ?? ''}`)
}

/**
 * `<app>/<function>`, or the path of a resource: `/subscriptions/…/providers/Microsoft.Web/sites/<app>/functions/<name>`.
 * An address stays as it is.
 */
export function azureFunctionUrl(id: string): string {
  const [, app, name] =
    /^([\w-]+)\/([\w-]+)$/.exec(id) ??
    /^\/subscriptions\/.*\/Microsoft\.Web\/sites\/([\w-]+)\/functions\/([\w-]+)$/i.exec(id) ??
    []
  return app === undefined ? id : `https://${app}.azurewebsites.net/api/${name}`
}
