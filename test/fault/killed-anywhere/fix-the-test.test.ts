import { testDyingTab } from '@/test/support/dying-tab';

testDyingTab('fix-the-test');
