import { useEffect, useState, type FormEvent, type ReactNode } from 'react'
import { toApiError, type ApiError } from '../../api/http.js'
import { navigate, useAddress } from '../../shell/router.js'
import { loadSession, logIn, useSessionState } from '../../shell/session.js'
import { Loading } from '../../ui/empty.js'
import { ErrorBox } from '../../ui/error-box.js'

/** `/login#code=…` logs in by itself; otherwise a token, or the login of an identity provider. */
export function LoginPage(): ReactNode {
  const state = useSessionState()
  const { query } = useAddress()
  const next = safeNext(query.get('next'))
  const { error, isBusy, submit } = useLogin()
  const provider = state.kind === 'out' ? state.login.oidc : undefined
  useEffect(() => {
    document.title = 'Log in · Toolcrib'
  }, [])
  useEffect(() => {
    if (state.kind === 'in') navigate(next, { replace: true })
  }, [state.kind, next])
  if (isBusy || state.kind === 'in') return <Loading label="Logging in" />
  return (
    <main className="login">
      <h1>Log in to Toolcrib</h1>
      {state.kind === 'out' && state.wasLost && (
        <p role="status">Your session has ended. Log in again to go on where you were.</p>
      )}
      <ProviderProblem code={query.get('problem')} />
      <ErrorBox error={state.kind === 'unreachable' ? state.error : error} />
      {provider !== undefined && (
        <a className="button primary" href={`/auth/oidc/login?return=${encodeURIComponent(next)}`}>
          Log in with {provider.name}
        </a>
      )}
      <TokenForm isMain={provider === undefined} onToken={(token) => submit({ token })} />
      <p className="muted">The owner gets a link that logs in by itself. It is printed by the server:</p>
      <pre className="command">toolcrib serve</pre>
    </main>
  )
}

/** Why the login of the identity provider failed; the server sends a code. */
const PROBLEMS: Readonly<Record<string, string>> = {
  not_started: 'The login was not started in this browser, or it took too long. Start it again.',
  failed: 'The identity provider did not log you in. Start the login again.',
  no_access:
    'You are logged in at the identity provider, but have no access here. Ask the operator for a role.',
  unavailable: 'The identity provider cannot be reached. Try again later, or log in with a token.',
}

function ProviderProblem({ code }: { readonly code: string | null }): ReactNode {
  const words = code === null ? undefined : PROBLEMS[code]
  if (words === undefined) return null
  return (
    <p className="error-box" role="alert">
      {words}
    </p>
  )
}

interface TokenFormProps {
  readonly isMain: boolean
  readonly onToken: (token: string) => void
}

function TokenForm({ isMain, onToken }: TokenFormProps): ReactNode {
  const [token, setToken] = useState('')
  const send = (event: FormEvent): void => {
    event.preventDefault()
    if (token.trim() !== '') onToken(token.trim())
  }
  return (
    <form onSubmit={send} className="login-form">
      <div className="field">
        <label htmlFor="token">Token</label>
        <input
          id="token"
          className="input code"
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </div>
      <button type="submit" className={isMain ? 'button primary' : 'button'}>
        Log in with the token
      </button>
    </form>
  )
}

interface Login {
  readonly error: ApiError | undefined
  readonly isBusy: boolean
  readonly submit: (proof: { login_code: string } | { token: string }) => void
}

function useLogin(): Login {
  const [error, setError] = useState<ApiError>()
  const [isBusy, setBusy] = useState(() => codeInAddress() !== undefined)
  const submit = (proof: { login_code: string } | { token: string }): void => {
    setBusy(true)
    setError(undefined)
    logIn(proof)
      .catch(async (failure: unknown) => {
        setError(toApiError(failure))
        await loadSession()
      })
      .finally(() => setBusy(false))
  }
  useEffect(() => {
    const exchange = (): void => {
      const code = codeInAddress()
      if (code === undefined) return
      // The code does not stay in the history.
      history.replaceState(null, '', location.pathname + location.search)
      submit({ login_code: code })
    }
    exchange()
    // The link may be pasted into a tab that shows this page already.
    window.addEventListener('hashchange', exchange)
    return () => window.removeEventListener('hashchange', exchange)
  }, [])
  return { error, isBusy, submit }
}

function codeInAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get('code') ?? undefined
}

/** Only a path of this console: an address elsewhere would lead away after the login. */
function safeNext(next: string | null): string {
  return next !== null && /^\/(?![/\\])/.test(next) && !next.startsWith('/login') ? next : '/'
}
