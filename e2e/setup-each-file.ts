import { afterAll, afterEach } from 'vitest'
import { releaseKept, releaseWindows } from './page-pool.ts'

// Files share a worker and its modules, so hooks registered by a module would run for the first file only.
afterEach(releaseWindows)
afterAll(releaseKept)
