/**
 * What is taken, in the order of docs/console.md. `title` is what the page calls itself: a picture of a page that is not there is
 * not taken. `path` gets the demo, which knows the ids of its calls.
 */
export const pages = [
  { name: 'login', title: 'Log in', path: () => '/login', isPublic: true },
  { name: 'inbox', title: 'Inbox', path: () => '/inbox', screens: ['wide', 'narrow'] },
  { name: 'live', title: 'Live', path: () => '/live' },
  { name: 'calls', title: 'Calls', path: () => '/calls' },
  {
    name: 'story',
    title: 'api.shop.refundOrder',
    path: ({ callOf }) => `/calls/${callOf('api.shop.refundOrder')}`,
    screens: ['wide', 'narrow'],
  },
  { name: 'catalog', title: 'Catalog', path: () => '/catalog' },
  { name: 'tool', title: 'api.shop.refundOrder', path: () => '/catalog/api.shop.refundOrder' },
  { name: 'surfaces', title: 'Surfaces', path: () => '/surfaces' },
  { name: 'policy', title: 'Policy', path: () => '/policy' },
  { name: 'sources', title: 'Sources', path: () => '/sources' },
  { name: 'overview', title: 'Overview', path: () => '/overview?range=1h' },
  { name: 'settings', title: 'Settings', path: () => '/settings?tab=tokens' },
]
