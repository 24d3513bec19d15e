import { testDyingTab } from '@/test/support/dying-tab';

testDyingTab('add-a-feature');
