import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import { PNG } from './content.mjs'

const resources = {
  'test://static-text': {
    name: 'Static text',
    description: 'Always the same text',
    mimeType: 'text/plain',
    read: () => ({ text: 'This is the content of the static text resource.' }),
  },
  'test://static-binary': {
    name: 'Static image',
    description: 'Always the same image',
    mimeType: 'image/png',
    read: () => ({ blob: PNG }),
  },
  'test://watched-resource': {
    name: 'Watched resource',
    description: 'Changes when it is told to',
    mimeType: 'text/plain',
    read: (shared) => ({ text: `Changed ${shared.state.touched} times.` }),
  },
}

const template = {
  uriTemplate: 'test://template/{id}/data',
  name: 'Data by id',
  description: 'Says the id that it was asked for',
  mimeType: 'application/json',
}

export function registerResources(server, shared) {
  server.setRequestHandler('resources/list', () => ({
    resources: Object.entries(resources).map(([uri, { name, description, mimeType }]) => ({
      uri,
      name,
      description,
      mimeType,
    })),
  }))
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [template] }))
  server.setRequestHandler('resources/read', (request) => ({
    contents: [contentsOf(request.params.uri, shared)],
  }))
}

function contentsOf(uri, shared) {
  const resource = resources[uri]
  if (resource) return { uri, mimeType: resource.mimeType, ...resource.read(shared) }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) throw new ResourceNotFoundError(uri)
  const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
  return { uri, mimeType: template.mimeType, text }
}
