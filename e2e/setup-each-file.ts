import { afterAll, afterEach } from 'vitest'
import { closeBrowser, closeWindows } from './browser.ts'

// Files share a worker and its modules: what a module said for itself would hold for the first file alone.
afterEach(closeWindows)
afterAll(closeBrowser)
