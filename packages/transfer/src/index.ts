export { ARCHIVE_FORMAT } from '@lyceum/contract/archive'
