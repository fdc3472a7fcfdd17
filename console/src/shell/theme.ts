import { createValue, useValue } from '../live/create-value.js'

export type Theme = 'system' | 'light' | 'dark'

const STORED_AS = 'toolcrib.theme'
const theme = createValue<Theme>(readTheme())

export function applyTheme(): void {
  const root = document.documentElement
  if (theme.get() === 'system') root.removeAttribute('data-theme')
  else root.setAttribute('data-theme', theme.get())
}

export function setTheme(next: Theme): void {
  theme.set(next)
  localStorage.setItem(STORED_AS, next)
  applyTheme()
}

export function useTheme(): Theme {
  return useValue(theme)
}

function readTheme(): Theme {
  const stored = localStorage.getItem(STORED_AS)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}
