import { afterAll, afterEach } from 'vitest'
import { closeAll, closeWindows } from './browser.ts'

// Files share a worker and its modules, so hooks registered by a module would run for the first file only.
afterEach(closeWindows)
afterAll(closeAll)
