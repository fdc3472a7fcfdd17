import type { ReactNode } from 'react'

const PATHS = {
  inbox: 'M2 9.5 4 3.5h8l2 6v3H2zM2 9.5h3.5l1 1.5h3l1-1.5H14',
  live: 'M1.5 8h3l2-5 3 10 2-5h3',
  calls: 'M2.5 4h.01M5.5 4h8M2.5 8h.01M5.5 8h8M2.5 12h.01M5.5 12h8',
  catalog: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  surfaces: 'M8 2 14 5 8 8 2 5zM2 8l6 3 6-3M2 11l6 3 6-3',
  policy: 'M8 1.8 13 3.5v4c0 3.2-2.1 5.4-5 6.7-2.9-1.3-5-3.5-5-6.7v-4zM5.8 8l1.6 1.6L10.4 6.5',
  sources: 'M5.5 1.8v3M10.5 1.8v3M3.5 4.8h9v2.7a4.5 4.5 0 0 1-9 0zM8 12v2.2',
  overview: 'M2 13.5h12M3.5 11V8M6.5 11V4.5M9.5 11V6.5M12.5 11V3',
  settings: 'M2 4.5h7M12.5 4.5H14M2 11.5h1.5M7 11.5h7M9 2.8v3.4h3.4V2.8zM3.6 9.8v3.4H7V9.8z',
  keyboard: 'M1.8 4h12.4v8.2H1.8zM4.2 6.6h.01M6.7 6.6h.01M9.2 6.6h.01M11.7 6.6h.01M5 9.6h6',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13.2 9.8A5.8 5.8 0 0 1 6.2 2.8a5.8 5.8 0 1 0 7 7z',
  screen: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  close: 'M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  edit: 'M3 13h2.2l7.3-7.3-2.2-2.2L3 10.8zM9 4.8 11.2 7',
  right: 'M6 3.5 10.5 8 6 12.5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  down: 'M3.5 6 8 10.5 12.5 6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.4 10.4 14 14',
  warning: 'M8 2.2 14.3 13H1.7zM8 6.4v3M8 11.3h.01',
} as const

export type IconName = keyof typeof PATHS

/** A picture beside words; where there are no words, the button has the label. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
