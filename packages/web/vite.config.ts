import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimContract } from './slim-contract.ts'

const server = process.env['LYCEUM_URL'] ?? 'http://127.0.0.1:3000'

/**
 * What the first page needs comes in two files, rather than in seventy; less is sent, too, since more is alike within one. So do small parts
 * that many pages share, each of which would be named in the list of what to load ahead.
 */
const TOGETHER = [
  { name: 'first', priority: 1, test: /packages\/web\/src\/(main|features\/feeds\/home)\.tsx/ },
  {
    name: 'base',
    priority: 2,
    // What few pages use of them comes with those pages.
    test: /node_modules\/(react|react-dom|scheduler|@tanstack(?!.*\/(useQueries|queriesObserver|useBlocker)\.)|i18next|react-i18next|use-sync-external-store)\//,
  },
  {
    name: 'parts',
    minShareCount: 2,
    test: /node_modules\/lucide-react\/|packages\/web\/src\/(lib\/\w|ui\/(?!modal|drawer|entry-list|menu-open|move-buttons|unsaved))/,
  },
]

export default defineConfig({
  root: import.meta.dirname,
  // Files are addressed relative to each other, since the community may have a base path.
  base: './',
  plugins: [slimContract(), react()],
  // What this is a stand-in for, React has.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim(\/index\.js)?/, replacement: 'use-sync-external-store' }] },
  server: { port: 5173, proxy: { '/api': server, '/media': server, '/health': server } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor, which few open, is the largest.
    chunkSizeWarningLimit: 700,
    rolldownOptions: { output: { codeSplitting: { groups: TOGETHER } } },
    reportCompressedSize: false,
  },
})
