// Opens the app without a network, and shows push messages. Only the app's own page and files are cached: never an answer of the API, a
// picture, a download or anything else of an account.
const SHELL = new URL('./', self.location.href).pathname
const ICON = `${SHELL}icon.svg`
const FILES = `files-3${SHELL}`
/** Whether a cache is of another version of this app. Other apps below other paths have the same storage. */
const isFormer = (name) => name !== FILES && (name === 'files-2' || name.replace(/^files-\d+/, '') === SHELL)
const SHELL_LASTS_MS = 10 * 60_000

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll([SHELL, ICON])))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const others = (names) => Promise.all(names.filter(isFormer).map((name) => caches.delete(name)))
  event.waitUntil(
    caches
      .keys()
      .then(others)
      .then(() => self.clients.claim()),
  )
})

let shellFetchedAt = 0

/** Fetches the app's page by itself, without credentials: what somebody navigated to may be theirs alone. */
const refreshShell = async () => {
  if (Date.now() - shellFetchedAt < SHELL_LASTS_MS) return
  shellFetchedAt = Date.now()
  const response = await fetch(SHELL, { credentials: 'omit', headers: { accept: 'text/html' } })
  if (response.ok) await (await caches.open(FILES)).put(SHELL, response)
}

const navigate = async (event) => {
  try {
    const response = await fetch(event.request)
    event.waitUntil(refreshShell().catch(() => {}))
    return response
  } catch (error) {
    const shell = await caches.match(SHELL)
    if (shell) return shell
    throw error
  }
}

const asset = async (request) => {
  const cached = await caches.match(request)
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) await (await caches.open(FILES)).put(request, response.clone())
  return response
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || !`${pathname}/`.startsWith(SHELL)) return
  if (request.mode === 'navigate') event.respondWith(navigate(event))
  else if (pathname.startsWith(`${SHELL}assets/`)) event.respondWith(asset(request))
})

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data?.json() ?? {}
  if (title) event.waitUntil(self.registration.showNotification(title, { body, tag, icon: ICON, data: { url } }))
})

const open = async (url) => {
  const [window] = await self.clients.matchAll({ type: 'window' })
  if (!window) return self.clients.openWindow(url)
  // A browser may not let it come to the front; it can be found there all the same.
  await window.focus().catch(() => {})
  return window.navigate(url)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.url ?? SHELL))
})
