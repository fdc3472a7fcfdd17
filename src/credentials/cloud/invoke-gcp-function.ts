import type { FunctionAnswer, FunctionCall } from './function-call.js'
import { gcpOptions } from './gcp-options.js'
import { loadPackage } from './load-package.js'
import { functionAddress, postToFunction } from './post-to-function.js'

interface Library {
  GoogleAuth: new (options?: object) => {
    getIdTokenClient(audience: string): Promise<{ getRequestHeaders(url: string): Promise<Headers> }>
  }
}

/** Calls a function of Google Cloud by its address or its resource name, with an identity token for it. */
export async function invokeGcpFunction(call: FunctionCall): Promise<FunctionAnswer> {
  const url = functionAddress(gcpFunctionUrl(call.function_id), call.owner)
  const library = await loadPackage<Library>('google-auth-library', call.owner)
  const auth = new library.GoogleAuth(gcpOptions(call.account))
  const client = await auth.getIdTokenClient(url)
  const headers = await client.getRequestHeaders(url)
  return postToFunction(url, call, headers.get('authorization') ?? '')
}

/** `projects/p/locations/europe-west1/functions/f`. An address stays as it is. */
export function gcpFunctionUrl(id: string): string {
  const [, project, location, name] =
    /^projects\/([^/]+)\/locations\/([^/]+)\/functions\/([^/]+)$/.exec(id) ?? []
  return project === undefined ? id : `https://${location}-${project}.cloudfunctions.net/${name}`
}
