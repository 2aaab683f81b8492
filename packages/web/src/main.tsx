import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { router } from './app/router.tsx'
import { finishSigningOut, watchAccount } from './lib/account-data.ts'
import { initI18n } from './lib/i18n.ts'
import { queryClient } from './lib/query.ts'
import { registerWorker } from './lib/service-worker.ts'
import { showTheme, storedTheme } from './lib/theme.ts'
import './styles/tokens.css'
import './styles/base.css'

finishSigningOut()
showTheme(storedTheme())
await initI18n()

const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')

const page = createRoot(place)
watchAccount(() => page.unmount())
page.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)

// Not in development: it would cache files that change.
if (import.meta.env.PROD && 'serviceWorker' in navigator) registerWorker().catch(() => {})
