import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimContract } from './slim-contract.ts'

const server = process.env['LYCEUM_URL'] ?? 'http://127.0.0.1:3000'

/** What the first page needs comes in two files, rather than in seventy; less is sent, too, since more is alike within one. */
const TOGETHER = [
  { name: 'first', priority: 1, test: /packages\/web\/src\/(main|features\/feeds\/home)\.tsx/ },
  {
    name: 'frame',
    priority: 2,
    test: /node_modules\/(react|react-dom|scheduler|@tanstack|i18next|react-i18next|use-sync-external-store|html-parse-stringify|void-elements)\//,
  },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [slimContract(), react()],
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
