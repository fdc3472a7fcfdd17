import { roles, type Role } from '../../platform/config/roles.js'
import { forbidden } from './problem.js'
import type { ApiRequest } from './route.js'

/** May read the records of every caller of its tenant. */
export const READERS: readonly Role[] = ['reviewer', 'operator', 'auditor']
export const EVERYONE: readonly Role[] = roles

export function isReader({ identity }: Pick<ApiRequest, 'identity'>): boolean {
  return identity.caller.roles.some((role) => READERS.includes(role))
}

/** Whether the caller is of the tenant that the server and its settings belong to. */
export function isHome({ api, tenant }: Pick<ApiRequest, 'api' | 'tenant'>): boolean {
  return tenant === api.tenant
}

/** Rules, config and sources are those of the whole server: only its own tenant sees and changes them. */
export function checkHome(request: Pick<ApiRequest, 'api' | 'tenant'>): void {
  if (!isHome(request))
    throw forbidden('The settings of the server belong to another tenant; ask its operator.')
}

/** The name of who changes something, as records have it. */
export function whoOf({ identity }: Pick<ApiRequest, 'identity'>): string {
  const { person, actor } = identity.caller
  return person ?? actor
}

/** For what is accepted, allowed or trusted from now on: a tool that started this server must not do that. */
export function checkChangeable(request: Pick<ApiRequest, 'api' | 'tenant'>): void {
  checkHome(request)
  const why = request.api.served?.whyUnchangeable()
  if (why !== undefined) throw forbidden(why)
}

/** The name of a surface that a reader asks about. Readers of another tenant than the server's have their own one only. */
export function readableSurface(request: ApiRequest, name: string | undefined): string | undefined {
  const { surface: own = 'default' } = request.identity.caller
  if (name !== undefined && name !== own && !isHome(request))
    throw forbidden('You may look at your own surface only; leave "surface" out.')
  return name
}
