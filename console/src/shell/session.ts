import { closeSession, getSession, openSession } from '../api/client.js'
import { forgetAnswers, handleSession, setCsrfToken, toApiError, type ApiError } from '../api/http.js'
import type { LoginChoices } from '../api/problem.js'
import type { Role, Session } from '../api/types.js'
import { createValue, useValue } from '../live/create-value.js'
import { startStream, stopStream } from '../live/event-stream.js'
import { forgetViews } from '../live/kept-view.js'
import { forgetResources } from '../live/use-resource.js'

export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'in'; readonly session: Session }
  | { readonly kind: 'out'; readonly login: LoginChoices; readonly wasLost: boolean }
  | { readonly kind: 'unreachable'; readonly error: ApiError }

const state = createValue<SessionState>({ kind: 'loading' })

export function useSessionState(): SessionState {
  return useValue(state)
}

/** The session of the person; only for components that are shown to somebody who is logged in. */
export function useSession(): Session {
  const current = useValue(state)
  if (current.kind !== 'in') throw new Error('There is no session.')
  return current.session
}

export function hasRole(session: Session, ...roles: readonly Role[]): boolean {
  return roles.some((role) => session.roles.includes(role))
}

/** Called once, before the first request. */
export function watchSession(): void {
  handleSession({ onLost: (problem) => logOutHere(problem.login, true), renew: renewSession })
}

export async function loadSession(): Promise<void> {
  try {
    enter(await getSession())
  } catch (error) {
    const failure = toApiError(error)
    if (failure.status === 401) logOutHere(failure.problem.login, false)
    else state.set({ kind: 'unreachable', error: failure })
  }
}

/** Fails with what the server says about the code or the token. */
export async function logIn(proof: { login_code: string } | { token: string }): Promise<void> {
  enter(await openSession(proof))
}

/** A new document: nothing that the person saw or typed stays in the memory or the storage of the tab. */
export async function logOut(): Promise<void> {
  await closeSession()
  sessionStorage.clear()
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}`)
}

/** A login in another tab replaces the session. The same person goes on; for another one the pages are loaded anew. */
async function renewSession(): Promise<boolean> {
  const before = state.get()
  if (before.kind !== 'in') return false
  const session = await getSession()
  if (session.csrf_token === before.session.csrf_token) return false
  const isSame = session.actor === before.session.actor && session.person === before.session.person
  if (isSame) setCsrfToken(session.csrf_token)
  else enter(session)
  return isSame
}

function enter(session: Session): void {
  forgetAnswers()
  forgetResources()
  forgetViews()
  setCsrfToken(session.csrf_token)
  state.set({ kind: 'in', session })
  startStream((problem) => logOutHere(problem.login, true))
}

function logOutHere(login: LoginChoices | undefined, wasLost: boolean): void {
  stopStream()
  setCsrfToken(undefined)
  state.set({ kind: 'out', login: login ?? { token: true }, wasLost })
}
