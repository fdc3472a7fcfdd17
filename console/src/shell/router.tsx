import { useMemo, useSyncExternalStore, type MouseEvent, type ReactNode } from 'react'

// The address is the state: a path that names the page and a query that holds its filters.

const CHANGED = 'toolcrib:navigated'

export function navigate(to: string, options: { readonly replace?: boolean } = {}): void {
  if (to === currentAddress()) return
  if (options.replace === true) history.replaceState(history.state, '', to)
  else history.pushState({ entry: crypto.getRandomValues(new Uint32Array(2)).join('.') }, '', to)
  window.dispatchEvent(new Event(CHANGED))
}

/** The name of the current entry of the history. Back and forward lead to the same entry again. */
export function currentEntry(): string {
  const { entry } = (history.state ?? {}) as { entry?: string }
  return entry ?? 'first'
}

/** The path and query of the address. */
export function useAddress(): { readonly path: string; readonly query: URLSearchParams } {
  const address = useSyncExternalStore(subscribe, currentAddress)
  return useMemo(() => {
    const url = new URL(address, location.origin)
    return { path: url.pathname, query: url.searchParams }
  }, [address])
}

/** One filter in the query: its value and a setter, which replaces the entry in the history. */
export function useQueryValue(name: string): [string, (value: string) => void] {
  const { query } = useAddress()
  return [query.get(name) ?? '', (value) => setQuery({ [name]: value })]
}

export function setQuery(changes: Readonly<Record<string, string>>): void {
  const url = new URL(currentAddress(), location.origin)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  navigate(url.pathname + url.search, { replace: true })
}

interface LinkProps {
  readonly to: string
  readonly children: ReactNode
  readonly className?: string
  readonly title?: string
  readonly 'aria-current'?: 'page' | 'true' | undefined
  readonly 'aria-label'?: string
  readonly tabIndex?: number
  readonly onClick?: () => void
}

export function Link({ to, children, onClick, ...rest }: LinkProps): ReactNode {
  const follow = (event: MouseEvent): void => {
    onClick?.()
    // A click with a key held down opens a tab, which is the browser's task.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a href={to} onClick={follow} {...rest}>
      {children}
    </a>
  )
}

/** The parts of a path that a pattern such as `/calls/:id` names, or undefined where it does not match. */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith(':')) params[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return params
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function currentAddress(): string {
  return location.pathname + location.search
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener)
  window.addEventListener(CHANGED, listener)
  return () => {
    window.removeEventListener('popstate', listener)
    window.removeEventListener(CHANGED, listener)
  }
}
