import { Component, useEffect, type ReactNode } from 'react'
import { toApiError } from './api/http.js'
import type { Session } from './api/types.js'
import { LoginPage } from './pages/login/login-page.js'
import { preload } from './loaded-page.js'
import { pages, type Page } from './pages.js'
import { Layout } from './shell/layout.js'
import { matchPath, navigate, useAddress } from './shell/router.js'
import { hasRole, loadSession, useSession, useSessionState } from './shell/session.js'
import { Empty, Loading } from './ui/empty.js'
import { ErrorBox } from './ui/error-box.js'
import { PageHeader } from './ui/page-header.js'
import { Toasts } from './ui/toast.js'

/** The login, or the page that the address names. */
export function App(): ReactNode {
  return (
    <>
      <Gate />
      <Toasts />
    </>
  )
}

function Gate(): ReactNode {
  const state = useSessionState()
  const { path } = useAddress()
  const isLogin = path === '/login'
  // The login page goes back to where the person was.
  useEffect(() => {
    if (state.kind === 'out' && !isLogin)
      navigate(`/login?next=${encodeURIComponent(location.pathname + location.search)}`, { replace: true })
  }, [state.kind, isLogin])
  if (isLogin) return <LoginPage />
  if (state.kind === 'in') return <CurrentPage path={path} />
  if (state.kind === 'unreachable')
    return (
      <main className="login">
        <ErrorBox error={state.error} onRetry={() => void loadSession()} />
      </main>
    )
  return <Loading />
}

/** The code of the page comes while the session is asked for. */
export function preloadPage(path: string): void {
  const found = findPage(path)
  if (found !== undefined) preload(found.page)
}

function CurrentPage({ path }: { readonly path: string }): ReactNode {
  const session = useSession()
  const isStart = path === '/'
  useEffect(() => {
    if (isStart) navigate(hasRole(session, 'reviewer') ? '/inbox' : '/live', { replace: true })
  }, [isStart, session])
  if (isStart) return <Loading />
  const found = findPage(path)
  const section = `/${path.split('/')[1] ?? ''}`
  return (
    <Layout current={section}>
      <Boundary key={path}>
        {found === undefined || !isFor(session, found.page) ? (
          <NotFound />
        ) : (
          <found.page.component params={found.params} />
        )}
      </Boundary>
    </Layout>
  )
}

function isFor(session: Session, { roles }: Page): boolean {
  return roles === undefined || hasRole(session, ...roles)
}

function findPage(path: string): { page: Page; params: Readonly<Record<string, string>> } | undefined {
  for (const page of pages) {
    const params = matchPath(page.path, path)
    if (params !== undefined) return { page, params }
  }
  return undefined
}

function NotFound(): ReactNode {
  return (
    <>
      <PageHeader title="Not found" />
      <Empty title="There is no such page for you">Choose another page, or press ? for the keys.</Empty>
    </>
  )
}

/** A page that fails leaves the navigation usable. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined }
  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }
  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children
    return <ErrorBox error={toApiError(this.state.error)} onRetry={() => location.reload()} />
  }
}
