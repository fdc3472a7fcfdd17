import { installedVersion, laterNode } from './installed.mjs'

/** Why a client cannot take part on this machine, or nothing. */
export function whyNotTried({ package: name, needsLaterNode }) {
  if (installedVersion(name) === undefined) return `${name} is not installed`
  if (needsLaterNode && laterNode() === undefined)
    return `${name} needs Node 22 or later, and this is ${process.versions.node}`
  return undefined
}
