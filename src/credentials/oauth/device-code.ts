import { setTimeout as sleep } from 'node:timers/promises'
import type { OAuthContext } from './oauth-context.js'
import { endpointOf, fetchFor } from './oauth-context.js'
import { safeAddress } from './guarded-fetch.js'
import type { FlowOptions } from './authorization-code.js'
import { codeOf, LoginFailed, toLoginFailed } from './login-problem.js'
import { postForm, requestToken, TokenRefused, type IssuedToken } from './request-token.js'

/** What a person needs to log in on any device. */
export interface DevicePrompt {
  readonly url: URL
  readonly userCode: string
}

export interface DeviceOptions extends FlowOptions {
  show(prompt: DevicePrompt): void
  /** For tests: the waits between two questions. */
  wait?(ms: number): Promise<unknown>
}

interface DeviceCode extends DevicePrompt {
  readonly deviceCode: string
  readonly untilMs: number
  readonly intervalMs: number
}

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
const INTERVAL_MS = 5000
/** How much slower to ask after `slow_down` (RFC 8628). */
const SLOWER_MS = 5000

/** A person enters a code in a browser on any device; meanwhile the authorization server is asked for the token. */
export async function deviceCode(options: DeviceOptions): Promise<IssuedToken> {
  const peer = `"${options.context.owner.entry}"`
  let step = 'its authorization server gave no code'
  try {
    const device = await requestCode(options)
    step = 'its authorization server gave no token'
    options.show({ url: device.url, userCode: device.userCode })
    return await askUntilGranted(device, options)
  } catch (error) {
    if (codeOf(error) === 'access_denied') throw new LoginFailed(`The login at ${peer} was not granted.`)
    if (codeOf(error) === 'expired_token')
      throw new LoginFailed(`The login at ${peer} was not completed in time.`)
    throw toLoginFailed(peer, step, error)
  }
}

async function requestCode({
  settings,
  context,
  client,
  scope,
  timeoutMs,
  signal,
}: DeviceOptions): Promise<DeviceCode> {
  const endpoint = endpointOf('device', settings, context)!
  const answer = await postForm({
    url: endpoint.url,
    client,
    params: { scope, audience: settings.audience },
    fetchFn: fetchFor(endpoint, context),
    signal,
  })
  const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } = answer
  const isCode = typeof user_code === 'string' && /^[\x20-\x7e]{1,64}$/.test(user_code)
  if (typeof device_code !== 'string' || !isCode) throw new TokenRefused(undefined)
  const page = verification_uri_complete ?? verification_uri
  if (typeof page !== 'string' || !URL.canParse(page)) throw new TokenRefused(undefined)
  const lifetimeMs = typeof expires_in === 'number' ? expires_in * 1000 : timeoutMs
  return {
    deviceCode: device_code,
    userCode: user_code,
    // The address is shown to a person: only a web address is allowed.
    url: safeAddress(page, endpoint.isNamed ? endpoint.url.href : context.origin),
    untilMs: context.now() + Math.min(lifetimeMs, timeoutMs),
    intervalMs: typeof interval === 'number' && interval >= 0 ? interval * 1000 : INTERVAL_MS,
  }
}

async function askUntilGranted(
  { deviceCode: code, untilMs, intervalMs }: DeviceCode,
  { context, client, token, signal, wait = (ms) => sleep(ms, undefined, { signal }) }: DeviceOptions,
): Promise<IssuedToken> {
  const fetchFn = fetchFor(token, context)
  const params = { grant_type: GRANT, device_code: code }
  for (let pauseMs = intervalMs; isBefore(context, untilMs);) {
    await wait(pauseMs)
    try {
      return await requestToken({ url: token.url, client, params, fetchFn, signal })
    } catch (error) {
      const reason = error instanceof TokenRefused ? error.code : undefined
      if (reason === 'slow_down') pauseMs += SLOWER_MS
      else if (reason !== 'authorization_pending') throw error
    }
  }
  throw new TokenRefused('expired_token')
}

const isBefore = ({ now }: OAuthContext, untilMs: number): boolean => now() < untilMs
