// The version of this build, from package.json.
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
export const ISSUES_URL = 'https://github.com/preadmit/preadmit/issues';
