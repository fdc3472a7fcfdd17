import type { ComponentType } from 'react'
import type { Role } from './api/types.js'
import { page } from './loaded-page.js'
import type { IconName } from './ui/icon.js'

/** What a page gets: the parts of the path that its pattern names. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

export interface Page {
  /** A pattern such as `/calls/:id`. */
  readonly path: string
  readonly title: string
  readonly component: ComponentType<PageProps>
  /** With an icon the page is in the navigation, and `g` and the key lead to it. */
  readonly icon?: IconName
  readonly key?: string
  /** Who sees the page; absent: everybody. */
  readonly roles?: readonly Role[]
}

/** Every page, in the order of the navigation. The code of a page is loaded when it is opened. */
export const pages: readonly Page[] = [
  {
    path: '/inbox',
    title: 'Inbox',
    icon: 'inbox',
    key: 'i',
    roles: ['reviewer', 'operator', 'auditor'],
    component: page(() => import('./pages/inbox/inbox-page.js')),
  },
  {
    path: '/live',
    title: 'Live',
    icon: 'live',
    key: 'l',
    component: page(() => import('./pages/live/live-page.js')),
  },
  {
    path: '/calls',
    title: 'Calls',
    icon: 'calls',
    key: 'c',
    component: page(() => import('./pages/calls/calls-page.js')),
  },
  {
    path: '/calls/:id',
    title: 'Call',
    component: page(() => import('./pages/story/story-page.js')),
  },
  {
    path: '/catalog',
    title: 'Catalog',
    icon: 'catalog',
    key: 't',
    component: page(() => import('./pages/catalog/catalog-page.js')),
  },
  {
    path: '/catalog/:tool',
    title: 'Tool',
    component: page(() => import('./pages/catalog/tool-page.js')),
  },
  {
    path: '/surfaces',
    title: 'Surfaces',
    icon: 'surfaces',
    key: 'u',
    roles: ['reviewer', 'operator', 'auditor'],
    component: page(() => import('./pages/surfaces/surfaces-page.js')),
  },
  {
    path: '/policy',
    title: 'Policy',
    icon: 'policy',
    key: 'p',
    roles: ['reviewer', 'operator', 'auditor'],
    component: page(() => import('./pages/policy/policy-page.js')),
  },
  {
    path: '/sources',
    title: 'Sources',
    icon: 'sources',
    key: 'r',
    roles: ['reviewer', 'operator', 'auditor'],
    component: page(() => import('./pages/sources/sources-page.js')),
  },
  {
    path: '/overview',
    title: 'Overview',
    icon: 'overview',
    key: 'o',
    roles: ['reviewer', 'operator', 'auditor'],
    component: page(() => import('./pages/overview/overview-page.js')),
  },
  {
    path: '/settings',
    title: 'Settings',
    icon: 'settings',
    key: 's',
    component: page(() => import('./pages/settings/settings-page.js')),
  },
]

export const navigationPages = pages.filter(({ icon }) => icon !== undefined)
