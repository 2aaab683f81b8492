// Lets the app open without a network, and shows push messages. Data are never kept: what was allowed once may not be allowed now.
const FILES = 'files-1'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(['/', '/icon.svg'])))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  const others = (names) => Promise.all(names.filter((name) => name !== FILES).map((name) => caches.delete(name)))
  event.waitUntil(
    caches
      .keys()
      .then(others)
      .then(() => self.clients.claim()),
  )
})

const fromNetwork = async (request, key) => {
  try {
    const response = await fetch(request)
    if (response.ok) await (await caches.open(FILES)).put(key, response.clone())
    return response
  } catch (error) {
    const kept = await caches.match(key)
    if (kept) return kept
    throw error
  }
}

const fromHere = async (request) => (await caches.match(request)) ?? fromNetwork(request, request)

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && !pathname.startsWith('/docs')) event.respondWith(fromNetwork(request, '/'))
  else if (pathname.startsWith('/assets/')) event.respondWith(fromHere(request))
})

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data?.json() ?? {}
  if (title) event.waitUntil(self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { url } }))
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
  event.waitUntil(open(event.notification.data?.url ?? '/'))
})
