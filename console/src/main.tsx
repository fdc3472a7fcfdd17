// First: the styles of components and pages refine them.
import './styles/tokens.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/components.css'
import { createRoot } from 'react-dom/client'
import { App, preloadPage } from './app.js'
import { explainReload } from './loaded-page.js'
import { listenForKeys } from './shell/keys.js'
import { loadSession, watchSession } from './shell/session.js'
import { applyTheme } from './shell/theme.js'

preloadPage(location.pathname)
applyTheme()
listenForKeys()
watchSession()
explainReload()
// A login code is exchanged by the login page.
if (location.pathname !== '/login' || !location.hash.startsWith('#code=')) void loadSession()

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<App />)
