BEGIN TRANSACTION;
CREATE TABLE actions (
	game VARCHAR(20) NOT NULL, 
	number INTEGER NOT NULL, 
	entry TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	PRIMARY KEY (game, number), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "actions" VALUES('hy8jph78ggwt',0,'{"action":"join","side":1,"name":"Bob"}',1.7948556600088758469e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',1,'{"action":"move","side":0,"move":"4a1"}',1.79485566004681110384e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',2,'{"action":"move","side":1,"move":"4b1"}',1.79485566010211706165e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',3,'{"action":"touch","side":0,"square":"a1"}',1.7948556601410222053e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',4,'{"action":"move","side":0,"move":"a1a2"}',1.79485566016445469853e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',5,'{"action":"ask-undo","side":0,"steps":1,"ply":2}',1.79485566018302226064e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',6,'{"action":"decline-undo","side":1}',1.79485566021151518815e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',7,'{"action":"ask-undo","side":0,"steps":1,"ply":2}',1794855660.24392);
INSERT INTO "actions" VALUES('hy8jph78ggwt',8,'{"action":"accept-undo","side":1}',1.79485566027583289148e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',9,'{"action":"move","side":0,"move":"4d4"}',1.79485566030156159407e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',10,'{"action":"offer-draw","side":0}',1.79485566033048200614e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',11,'{"action":"decline-draw","side":1}',1.79485566036583089823e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',12,'{"action":"move","side":1,"move":"4c4"}',1.79485566039381551741e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',13,'{"action":"offer-draw","side":0}',1.79485566042192554473e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',14,'{"action":"accept-draw","side":1}',1.79485566044631624218e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',15,'{"action":"rematch","side":0,"sides":[0]}',1.7948556604698345661e+09);
INSERT INTO "actions" VALUES('hy8jph78ggwt',16,'{"action":"rematch","side":1,"sides":[1],"game":"wxr5ec8hyari"}',1.79485566050197434427e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',0,'{"action":"move","side":0,"move":"4a1"}',1.79485566056188488009e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',1,'{"action":"move","side":1,"move":"4b1"}',1.79485566059183812136e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',2,'{"action":"touch","side":0,"square":"a1"}',1.79485566061477088924e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',3,'{"action":"undo","side":0,"steps":1}',1.79485566063438081738e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',4,'{"action":"move","side":0,"move":"4b4"}',1.79485566066201710703e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',5,'{"action":"undo","side":0,"steps":1}',1.79485566068851566312e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',6,'{"action":"redo","side":0,"steps":1}',1.79485566070875692369e+09);
INSERT INTO "actions" VALUES('sm8n8qige7rj',7,'{"action":"undo","side":0,"steps":2}',1.7948556607276852131e+09);
INSERT INTO "actions" VALUES('qpd25i2e5tzd',0,'{"action":"move","side":0,"move":"3b2"}',1.79485566078595185275e+09);
INSERT INTO "actions" VALUES('qpd25i2e5tzd',1,'{"action":"move","side":1,"move":"1a1"}',1.79485566080161952975e+09);
INSERT INTO "actions" VALUES('qpd25i2e5tzd',2,'{"action":"hand-over","side":1,"level":"easy"}',1.79485566091626667969e+09);
INSERT INTO "actions" VALUES('qpd25i2e5tzd',3,'{"action":"take-over","side":1}',1.79485566094646596907e+09);
INSERT INTO "actions" VALUES('qpd25i2e5tzd',4,'{"action":"resign","side":0}',1.79485566097738289837e+09);
INSERT INTO "actions" VALUES('n85qfep5den7',0,'{"action":"move","side":0,"move":"1b2"}',1.79485566102192306515e+09);
INSERT INTO "actions" VALUES('n85qfep5den7',1,'{"action":"move","side":1,"move":"1a1"}',1.79485566115321207043e+09);
INSERT INTO "actions" VALUES('n85qfep5den7',2,'{"action":"move","side":0,"move":"1b3"}',1.79485566116650128369e+09);
INSERT INTO "actions" VALUES('45yc7ad8kmaw',0,'{"action":"move","side":0,"move":"1a1"}',1.79485566132608866693e+09);
INSERT INTO "actions" VALUES('45yc7ad8kmaw',1,'{"action":"move","side":1,"move":"1a2"}',1.79485566135035634043e+09);
INSERT INTO "actions" VALUES('45yc7ad8kmaw',2,'{"action":"move","side":0,"move":"1b1"}',1.79485566137142252924e+09);
INSERT INTO "actions" VALUES('45yc7ad8kmaw',3,'{"action":"move","side":1,"move":"1b2"}',1.79485566141000771516e+09);
INSERT INTO "actions" VALUES('45yc7ad8kmaw',4,'{"action":"move","side":0,"move":"1c1"}',1.79485566142494964601e+09);
INSERT INTO "actions" VALUES('45yc7ad8kmaw',5,'{"action":"undo","side":0,"steps":1}',1.79485566145155453683e+09);
INSERT INTO "actions" VALUES('f2nbgcdbrptq',0,'{"action":"move","side":0,"move":"1a1"}',1.79485566150347137454e+09);
INSERT INTO "actions" VALUES('f2nbgcdbrptq',1,'{"action":"move","side":1,"move":"1a2"}',1.79485566153966379166e+09);
INSERT INTO "actions" VALUES('f2nbgcdbrptq',2,'{"action":"move","side":0,"move":"1b1"}',1.79485566156175565719e+09);
INSERT INTO "actions" VALUES('f2nbgcdbrptq',3,'{"action":"move","side":1,"move":"1b2"}',1.79485566159015560148e+09);
INSERT INTO "actions" VALUES('f2nbgcdbrptq',4,'{"action":"move","side":0,"move":"1c1"}',1.79485566161008906361e+09);
INSERT INTO "actions" VALUES('6ymkfhm6uzhp',0,'{"action":"move","side":0,"move":"3b2"}',1.79485566167829108238e+09);
INSERT INTO "actions" VALUES('6ymkfhm6uzhp',1,'{"action":"move","side":1,"move":"3a1"}',1.79485566170912957191e+09);
INSERT INTO "actions" VALUES('qh2bygqceefv',0,'{"action":"move","side":0,"move":"1b2"}',1.79485566176582455634e+09);
INSERT INTO "actions" VALUES('qh2bygqceefv',1,'{"action":"move","side":1,"move":"3b2"}',1.79485566178929162022e+09);
INSERT INTO "actions" VALUES('wat9nyi5z3jt',0,'{"action":"move","side":0,"move":"1b2"}',1.79485566184401869769e+09);
INSERT INTO "actions" VALUES('wat9nyi5z3jt',1,'{"action":"move","side":1,"move":"3b2"}',1.79485566186953806873e+09);
INSERT INTO "actions" VALUES('pfndnabwtxzk',0,'{"action":"move","side":0,"move":"2c3"}',1.7948556619493429661e+09);
INSERT INTO "actions" VALUES('yjgtjqdr9qh6',0,'{"action":"move","side":0,"move":"a1a4"}',1.79485566200736737247e+09);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE games (
	id VARCHAR(20) NOT NULL, 
	rules VARCHAR(40) NOT NULL, 
	setup TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	over BOOLEAN DEFAULT 0 NOT NULL, 
	waiting BOOLEAN DEFAULT 0 NOT NULL, 
	between_people BOOLEAN DEFAULT 0 NOT NULL, 
	lease_owner VARCHAR(40), 
	lease_until FLOAT, 
	creator VARCHAR(64) NOT NULL, 
	created FLOAT NOT NULL, 
	changed FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "games" VALUES('hy8jph78ggwt','gobblet','{"seats":[{"name":"Ann","level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',17,1,0,1,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1794855659.95854,1.79485566050197434427e+09);
INSERT INTO "games" VALUES('wxr5ec8hyari','gobblet','{"position":"x4/x4/x4/x4 w","visibility":"open","touch_move":true,"ply_limit":null,"seats":[{"name":"Bob","level":null},{"name":"Ann","level":null}]}',0,0,0,1,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566050188374517e+09,1.79485566050188374517e+09);
INSERT INTO "games" VALUES('sm8n8qige7rj','gobblet','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',8,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566052040791508e+09,1.7948556607276852131e+09);
INSERT INTO "games" VALUES('qpd25i2e5tzd','gobblers','{"seats":[{"name":null,"level":null},{"name":null,"level":"random"}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',5,1,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566074145770068e+09,1.79485566097738289837e+09);
INSERT INTO "games" VALUES('n85qfep5den7','tictactoe','{"seats":[{"name":null,"level":"random"},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',3,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566099469685558e+09,1.79485566116650128369e+09);
INSERT INTO "games" VALUES('45yc7ad8kmaw','tictactoe','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',6,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566128775405887e+09,1.79485566145155453683e+09);
INSERT INTO "games" VALUES('f2nbgcdbrptq','tictactoe','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',5,1,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566146770811083e+09,1.79485566161008906361e+09);
INSERT INTO "games" VALUES('b7hpfe7rujid','tictactoe','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"x3/x3/x3 b","visibility":"open","touch_move":null,"ply_limit":null}',0,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566163028383251e+09,1.79485566163028383251e+09);
INSERT INTO "games" VALUES('6ymkfhm6uzhp','gobblers-official','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',2,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566165023779873e+09,1.79485566170912957191e+09);
INSERT INTO "games" VALUES('qh2bygqceefv','gobblers-official','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"peek","touch_move":null,"ply_limit":null}',2,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566172601127628e+09,1.79485566178929162022e+09);
INSERT INTO "games" VALUES('wat9nyi5z3jt','gobblers','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"memory","touch_move":null,"ply_limit":null}',2,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566180563688274e+09,1.79485566186953806873e+09);
INSERT INTO "games" VALUES('vp442523t9gy','gobblet','{"seats":[{"name":"Zo\u00eb","level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":false,"ply_limit":7}',0,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566187759947778e+09,1.79485566187759947778e+09);
INSERT INTO "games" VALUES('pfndnabwtxzk','custom-f0323c851ce8103a','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"position":"start","visibility":"open","touch_move":null,"ply_limit":null}',1,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566191175675387e+09,1.7948556619493429661e+09);
INSERT INTO "games" VALUES('yjgtjqdr9qh6','gobblet','{"seats":[{"name":"Carl","level":null},{"name":"Dora","level":null}],"record":"[Rules \"gobblet\"]\n[First \"Carl\"]\n[Second \"Dora\"]\n[Touched \"a1\"]\n\n1. 4a1 4b1\n"}',1,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566197325468063e+09,1.79485566200736737247e+09);
INSERT INTO "games" VALUES('ntrv32mgqekj','tictactoe','{"seats":[{"name":null,"level":null},{"name":null,"level":null}],"record":"[Rules \"tictactoe\"]\n[FirstLevel \"easy\"]\n\n1. a1 b2\n"}',0,0,0,0,NULL,NULL,'bb9f41c494606655d7c7cc9fe0538f83fe1e4ac0118e19cb0b23750500f52cf2',1.79485566202906560899e+09,1.79485566202906560899e+09);
CREATE TABLE rule_sets (
	name VARCHAR(40) NOT NULL, 
	text TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "rule_sets" VALUES('custom-f0323c851ce8103a','like = "gobblers"
title = "Endless"
repetition = 0
',1.79485566191890501979e+09);
CREATE TABLE salts (
	name VARCHAR(20) NOT NULL, 
	value VARCHAR(64) NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO "salts" VALUES('client','baca8dda5269822af8cd5a4d21798608');
CREATE TABLE seats (
	game VARCHAR(20) NOT NULL, 
	side INTEGER NOT NULL, 
	holder VARCHAR(64), 
	invitation VARCHAR(64), 
	visitor VARCHAR(64), 
	PRIMARY KEY (game, side), 
	FOREIGN KEY(game) REFERENCES games (id) ON DELETE CASCADE
);
INSERT INTO "seats" VALUES('hy8jph78ggwt',0,'65c4f7f29b95477d0a2df98ba3802d30ddb97f600244f6cf9bf5dab9128b4d4b',NULL,'253fdf063f19775657edbd3e9f65440f9bf212133cd647127b05e1db1e359602');
INSERT INTO "seats" VALUES('hy8jph78ggwt',1,'29e73826efdef0726d743a5caab9deb620c66f388d093a425c48cb75c63d21f6',NULL,'26e1c33eb1b819ef5448d7d68377432cf3926c2cbe510be6cc40fde655c072bc');
INSERT INTO "seats" VALUES('wxr5ec8hyari',0,'29e73826efdef0726d743a5caab9deb620c66f388d093a425c48cb75c63d21f6',NULL,'26e1c33eb1b819ef5448d7d68377432cf3926c2cbe510be6cc40fde655c072bc');
INSERT INTO "seats" VALUES('wxr5ec8hyari',1,'65c4f7f29b95477d0a2df98ba3802d30ddb97f600244f6cf9bf5dab9128b4d4b',NULL,'253fdf063f19775657edbd3e9f65440f9bf212133cd647127b05e1db1e359602');
INSERT INTO "seats" VALUES('sm8n8qige7rj',0,'ccc2460005dce2f62080cf67b74e0a98c04688c2e83d793f87b970fb231456f9',NULL,'e0f2961b7138b223d16090b620a9711eb9b064684021775e67448d0db153aab0');
INSERT INTO "seats" VALUES('sm8n8qige7rj',1,'ccc2460005dce2f62080cf67b74e0a98c04688c2e83d793f87b970fb231456f9',NULL,'e0f2961b7138b223d16090b620a9711eb9b064684021775e67448d0db153aab0');
INSERT INTO "seats" VALUES('qpd25i2e5tzd',0,'3590ec257a143edf8eeaef413420a0ed28e9cf8577d4518f825a5063bc66af9a',NULL,'875eaeb785c057094b2b03c2e68f4f59bcb28092c5a59ffe6996e07fd530e132');
INSERT INTO "seats" VALUES('qpd25i2e5tzd',1,'3590ec257a143edf8eeaef413420a0ed28e9cf8577d4518f825a5063bc66af9a',NULL,'875eaeb785c057094b2b03c2e68f4f59bcb28092c5a59ffe6996e07fd530e132');
INSERT INTO "seats" VALUES('n85qfep5den7',0,'79c82069048c9071a54f841d1e7ea7eac67a4e8ce1a194cd0658b7067381906b',NULL,'c2e67da1948392dada24ad60629d1e883554885e8a5609e46f8017ad5a280fb1');
INSERT INTO "seats" VALUES('n85qfep5den7',1,'79c82069048c9071a54f841d1e7ea7eac67a4e8ce1a194cd0658b7067381906b',NULL,'c2e67da1948392dada24ad60629d1e883554885e8a5609e46f8017ad5a280fb1');
INSERT INTO "seats" VALUES('45yc7ad8kmaw',0,'72b50002ba9059f3172b3bb69d09e16ef5eb5748bbb4dc907f7c4654df97548b',NULL,'03938b4de7a87b5769a3aa71cab3d8334a66e816bdb043022f114fae6ab77349');
INSERT INTO "seats" VALUES('45yc7ad8kmaw',1,'72b50002ba9059f3172b3bb69d09e16ef5eb5748bbb4dc907f7c4654df97548b',NULL,'03938b4de7a87b5769a3aa71cab3d8334a66e816bdb043022f114fae6ab77349');
INSERT INTO "seats" VALUES('f2nbgcdbrptq',0,'9a43536c6392b9c59400ebf63688bf90003c8277e2931b0e6793927ea8250c7f',NULL,'63f0c898ab7a76393664ccf5ab44c7000d89a0870dc2d53b1603475643885b01');
INSERT INTO "seats" VALUES('f2nbgcdbrptq',1,'9a43536c6392b9c59400ebf63688bf90003c8277e2931b0e6793927ea8250c7f',NULL,'63f0c898ab7a76393664ccf5ab44c7000d89a0870dc2d53b1603475643885b01');
INSERT INTO "seats" VALUES('b7hpfe7rujid',0,'ed60bc31dbf1fad50848180c45712203cbeecf8d185be4ffad844b74336702dc',NULL,'f9b2b86b446f4b8d48500314c9482fc64bca9a1642464349d15ca8d1a61b9e06');
INSERT INTO "seats" VALUES('b7hpfe7rujid',1,'ed60bc31dbf1fad50848180c45712203cbeecf8d185be4ffad844b74336702dc',NULL,'f9b2b86b446f4b8d48500314c9482fc64bca9a1642464349d15ca8d1a61b9e06');
INSERT INTO "seats" VALUES('6ymkfhm6uzhp',0,'0aed9bb086ea7913fe89be13957c0238ab1f9a94093c737df5d47dd3cdb48362',NULL,'7c257b2fa770d3a4960185dc7186a441b9a5a46fe4cebc1aa4f394ea3abd8d64');
INSERT INTO "seats" VALUES('6ymkfhm6uzhp',1,'0aed9bb086ea7913fe89be13957c0238ab1f9a94093c737df5d47dd3cdb48362',NULL,'7c257b2fa770d3a4960185dc7186a441b9a5a46fe4cebc1aa4f394ea3abd8d64');
INSERT INTO "seats" VALUES('qh2bygqceefv',0,'e474f351207d741ff1519a2ee42637fb243d20ea82a3e51372d6f5faf1c1fd69',NULL,'5cb8c70eadd48c6911d48a8b8ee2222da2a8b6e18f27dce7fdd1373453f4f11b');
INSERT INTO "seats" VALUES('qh2bygqceefv',1,'e474f351207d741ff1519a2ee42637fb243d20ea82a3e51372d6f5faf1c1fd69',NULL,'5cb8c70eadd48c6911d48a8b8ee2222da2a8b6e18f27dce7fdd1373453f4f11b');
INSERT INTO "seats" VALUES('wat9nyi5z3jt',0,'3e13626eed7e0f58d852940bc6362a19bfb0efbfd4a657f68ad414e3744a9c87',NULL,'fb7b44bb223ec9816d7e5a5b3f71d8f3054e67f949bd1f0d354ca48f40fe3a26');
INSERT INTO "seats" VALUES('wat9nyi5z3jt',1,'3e13626eed7e0f58d852940bc6362a19bfb0efbfd4a657f68ad414e3744a9c87',NULL,'fb7b44bb223ec9816d7e5a5b3f71d8f3054e67f949bd1f0d354ca48f40fe3a26');
INSERT INTO "seats" VALUES('vp442523t9gy',0,'4c247a5891e4bd86f6e36e3769f4e6214ac8a096bb4e12bd07da9a19057d1cda',NULL,'3502c6f47c397146b5a0b087bdb39b861a5a451d5a0e2db95b904e78079d04b4');
INSERT INTO "seats" VALUES('vp442523t9gy',1,'4c247a5891e4bd86f6e36e3769f4e6214ac8a096bb4e12bd07da9a19057d1cda',NULL,'3502c6f47c397146b5a0b087bdb39b861a5a451d5a0e2db95b904e78079d04b4');
INSERT INTO "seats" VALUES('pfndnabwtxzk',0,'d7cbb734d37d012e1c33060c3f1c893502cc70db3a46f7c1f4055de170d51b94',NULL,'0f95f175041a57afd65aeb77e37e64af1e95cf6cda8ea225aabacae2e21f9c4f');
INSERT INTO "seats" VALUES('pfndnabwtxzk',1,'d7cbb734d37d012e1c33060c3f1c893502cc70db3a46f7c1f4055de170d51b94',NULL,'0f95f175041a57afd65aeb77e37e64af1e95cf6cda8ea225aabacae2e21f9c4f');
INSERT INTO "seats" VALUES('yjgtjqdr9qh6',0,'685a3d6bf4c718d26ff1ef2805888084c1b31011cc31da7fb786b30986161812',NULL,'ed4e68de3a291455534b96f430e4164f4147d8608f98b78e0638328b80d9a3b1');
INSERT INTO "seats" VALUES('yjgtjqdr9qh6',1,'685a3d6bf4c718d26ff1ef2805888084c1b31011cc31da7fb786b30986161812',NULL,'ed4e68de3a291455534b96f430e4164f4147d8608f98b78e0638328b80d9a3b1');
INSERT INTO "seats" VALUES('ntrv32mgqekj',0,'f19b990d32387fb187f69ee0de51b327be4624a67bb0ec4c0132128f198b1d27',NULL,'6999769d88e2ce47e638d77c0e27f069f4fca10ac71d4ccca9b517eca634db1d');
INSERT INTO "seats" VALUES('ntrv32mgqekj',1,'f19b990d32387fb187f69ee0de51b327be4624a67bb0ec4c0132128f198b1d27',NULL,'6999769d88e2ce47e638d77c0e27f069f4fca10ac71d4ccca9b517eca634db1d');
CREATE INDEX games_waiting ON games (lease_until) WHERE waiting;
CREATE INDEX games_creator ON games (creator) WHERE over = 0;
CREATE INDEX games_changed ON games (changed);
CREATE INDEX games_rules ON games (rules);
CREATE INDEX seats_visitor ON seats (visitor);
CREATE INDEX seats_holder ON seats (holder);
COMMIT;
