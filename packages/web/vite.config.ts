import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { slimContract } from './slim-contract.ts'

const server = process.env['LYCEUM_URL'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [slimContract(), react()],
  server: { port: 5173, proxy: { '/api': server, '/media': server, '/health': server } },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    reportCompressedSize: false,
  },
})
