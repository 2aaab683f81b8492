import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimContract } from './slim-contract.ts'

const server = process.env['LYCEUM_URL'] ?? 'http://127.0.0.1:3000'

/** What every page needs comes in one file each, rather than in seventy; less is sent, too, since more is alike within it. */
const TOGETHER = [
  {
    name: 'frame',
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
