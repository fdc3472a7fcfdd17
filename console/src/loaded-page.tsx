import { useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { toApiError, ApiError } from './api/http.js'
import { ONLY_RESYNC, useEvents } from './live/use-events.js'
import type { PageProps } from './pages.js'
import { Loading } from './ui/empty.js'
import { ErrorBox } from './ui/error-box.js'
import { showToast } from './ui/toast.js'

type LoadPage = () => Promise<{ default: ComponentType<PageProps> }>
/** Fails where the code cannot be loaded; the next call tries again. */
const loads = new WeakMap<ComponentType<PageProps>, () => Promise<void>>()

/** A page whose code is loaded when it is opened. React's `lazy` would hold a page back for 300 ms after its code is there. */
export function page(load: LoadPage): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined
  let loading: Promise<void> | undefined
  const begin = (): Promise<void> => {
    loading ??= load()
      .then((module) => {
        loaded = module.default
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  function LoadedPage(props: PageProps): ReactNode {
    const [, setReady] = useState(false)
    const [failure, setFailure] = useState<ApiError>()
    const tryLoad = (): void => {
      if (loaded !== undefined) return
      begin().then(
        () => setReady(true),
        async (error: unknown) => setFailure(await causeOf(error)),
      )
    }
    useEffect(tryLoad, [])
    useEvents(ONLY_RESYNC, tryLoad)
    if (loaded !== undefined) {
      const Loaded = loaded
      return <Loaded {...props} />
    }
    return failure === undefined ? <Loading /> : <ErrorBox error={failure} onRetry={tryLoad} />
  }
  loads.set(LoadedPage, begin)
  return LoadedPage
}

/** Begins to load the code of a page that will be shown. A failure is shown when the page is. */
export function preload({ component }: { readonly component: ComponentType<PageProps> }): void {
  loads
    .get(component)?.()
    .catch(() => {})
}

const UPGRADED = 'toolcrib.upgraded'

/** Why the code of a page was not loaded. After an upgrade it has another address, which only a new document names. */
async function causeOf(error: unknown): Promise<ApiError> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module]')?.getAttribute('src')
  let current: string
  try {
    current = await (await fetch('/', { cache: 'no-store' })).text()
  } catch {
    return new ApiError({
      title: 'No connection',
      status: 0,
      detail: 'The server cannot be reached. This page is loaded when the connection is back.',
    })
  }
  if (own !== null && own !== undefined && !current.includes(own)) {
    sessionStorage.setItem(UPGRADED, 'yes')
    location.reload()
  }
  return toApiError(error)
}

/** Called once: after a reload that the person did not ask for. */
export function explainReload(): void {
  if (sessionStorage.getItem(UPGRADED) === null) return
  sessionStorage.removeItem(UPGRADED)
  showToast({ text: 'The server has a new version of this console, so the page was loaded again.' })
}
