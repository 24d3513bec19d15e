import { testDyingTab } from '@/test/support/dying-tab';

testDyingTab('watch-it-misbehave');
