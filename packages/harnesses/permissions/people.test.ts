import { describeMatrix } from './part.ts'

describeMatrix('people')
