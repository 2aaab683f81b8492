import { readConfig } from '../config.ts'
import { serve } from '../main.ts'

await serve(readConfig())
